// Like the gateway, whose libraries run without their development checks: see
// `defaultNodeEnvToProduction`. Those of graphql-js take a fifth of the time of the random tests.
process.env['NODE_ENV'] = 'production';
