/** Shown instead of the editor as long as no key is accepted. */
export function Instructions({ isConnecting }: { isConnecting: boolean }) {
  return (
    <main className="welcome">
      {isConnecting ? (
        <p>Connecting …</p>
      ) : (
        <>
          <h1>Playground</h1>
          <p>
            Enter an API key and a workspace ID above. They are kept in this tab only, and deleted
            when you close it. Without a workspace ID, you can choose a workspace if the key has the
            scope WORKSPACES.
          </p>
          <p>
            Create a key with <code>npx posts-gateway keys create</code>. The keys of the demo are
            in <code>.data/demo.json</code>.
          </p>
        </>
      )}
    </main>
  );
}
