import { Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { KeyType, Shape, ShapeKey, Shaped } from '../../domain/input/shapes.js';
import type { InputOf } from '../../domain/posts/post-fields.js';
import { Json } from './enums.js';

type ClassOf<T> = new () => T;

/** The types of the keys that are objects. */
type TypesOfObjects<S extends Shape> = {
  readonly [K in keyof S as S[K]['type'] extends 'object' ? K : never]: ClassOf<object>;
};

interface ShapeType<S extends Shape> {
  readonly description: string;
  readonly keys: S;
  readonly objects: TypesOfObjects<S>;
}

const SCALARS = {
  text: String,
  id: ID,
  flag: Boolean,
  integer: Int,
  number: Float,
  json: Json,
} as const satisfies Readonly<Record<Exclude<KeyType, 'object'>, unknown>>;

/** Declares the keys of a shape as fields of a class. */
function declareFields<S extends Shape>(
  target: ClassOf<object>,
  { keys, objects }: ShapeType<S>,
  optionsOf: (key: ShapeKey) => { nullable: boolean; description: string },
): void {
  for (const [name, key] of Object.entries<ShapeKey>(keys)) {
    const type =
      key.type === 'object'
        ? (objects as Readonly<Record<string, ClassOf<object>>>)[name]!
        : SCALARS[key.type];
    Field(() => (key.isList ? [type] : type), optionsOf(key))(target.prototype as object, name);
  }
}

/** The input type of a shape: what clients send, before it is read. */
export function inputOfShape<const S extends Shape>(
  name: string,
  shape: ShapeType<S>,
): ClassOf<InputOf<Shaped<S>>> {
  const target = class {};
  const sent = Object.entries(shape.keys).filter(([, key]) => !key.isRestOnly);
  declareFields(target, { ...shape, keys: Object.fromEntries(sent) as S }, (key) => ({
    nullable: key.presence === undefined,
    description: key.description,
  }));
  InputType(name, { description: shape.description })(target);
  return target as ClassOf<InputOf<Shaped<S>>>;
}

/** The object type of a shape: what is stored. */
export function objectOfShape<const S extends Shape>(
  name: string,
  shape: ShapeType<S>,
): ClassOf<Shaped<S>> {
  const target = class {};
  const shown = Object.entries(shape.keys).filter(([, key]) => !key.isRequestOnly);
  declareFields(target, { ...shape, keys: Object.fromEntries(shown) as S }, (key) => ({
    nullable: key.presence === undefined && !key.isAlwaysInResult,
    description: key.inResult ?? key.description,
  }));
  ObjectType(name, { description: shape.description, simpleResolvers: true })(target);
  return target as ClassOf<Shaped<S>>;
}
