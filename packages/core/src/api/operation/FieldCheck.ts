/** Refuses unknown fields of a body, because a misspelt field would count as omitted. */
import type * as Schema from "effect/Schema"
import * as Predicate from "effect/Predicate"
import * as SchemaAST from "effect/SchemaAST"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { suggestNames } from "../../values/validation/findNearestName.ts"
import type { Endpoint } from "../contract/Operation.ts"
import type { BodyRulesShape } from "../contract/operationAnnotations.ts"

type Path = ReadonlyArray<string | number>

export interface FieldCheck {
  /** The first unknown field, at any depth. */
  readonly findProblem: (body: unknown) => InvalidRequest | undefined
  /** The fields of the public API that have no effect in this body. */
  readonly listIgnored: (body: unknown) => ReadonlyArray<string>
}

/**
 * The check of an operation's JSON body. A change may hold every field of the resource, as clients send that read a
 * resource, edit it and write it back; what the operation cannot change is ignored.
 */
export const makeFieldCheck = (
  { method, success }: Pick<Endpoint, "method" | "success">,
  payload: Schema.Top,
  { ignoresUnknownFields = false, withoutEffect = [] }: BodyRulesShape
): FieldCheck => {
  const ast = SchemaAST.toEncoded(payload.ast)
  const own = new Set(listNames(ast))
  const readOnly =
    method === "PATCH" || method === "PUT"
      ? listResourceNames([...success][0]).filter((name) => !own.has(name))
      : []
  const ignorable = new Set([...withoutEffect, ...readOnly])
  const isIgnored = (name: string): boolean =>
    ignorable.has(name) || (ignoresUnknownFields && !own.has(name))
  return {
    findProblem: (body) => {
      const path = ignoresUnknownFields ? undefined : findUnknown(ast, body, isIgnored)
      return path === undefined ? undefined : toInvalidRequest(path, listKnown(ast, path))
    },
    listIgnored: (body) =>
      (ignorable.size === 0 && !ignoresUnknownFields) || !Predicate.isObject(body)
        ? []
        : Object.keys(body).filter((name) => isIgnored(name) && asksForSomething(body[name]))
  }
}

/** Unset values of a resource are read as empty. */
const asksForSomething = (value: unknown): boolean =>
  value !== null && value !== false && value !== "" && !(Array.isArray(value) && value.length === 0)

const listNames = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  ast._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : []

const listResourceNames = (success: Schema.Top | undefined): ReadonlyArray<string> => {
  if (success === undefined) return []
  const ast = SchemaAST.toEncoded(success.ast)
  const data =
    ast._tag === "Objects" ? ast.propertySignatures.find(({ name }) => name === "data") : undefined
  return listNames(data?.type ?? ast)
}

/** The path of the first field that no member of the schema has. Values of the wrong type are left to the decoder. */
const findUnknown = (
  ast: SchemaAST.AST,
  value: unknown,
  isKnown: (name: string) => boolean = () => false
): Path | undefined => {
  if (Array.isArray(value)) {
    const items = listMembers(ast).flatMap((it) => (it._tag === "Arrays" ? it.rest : []))
    const [item] = items
    if (item === undefined) return undefined
    for (let at = 0; at < value.length; at++) {
      const found = findUnknown(item, value[at])
      if (found !== undefined) return [at, ...found]
    }
    return undefined
  }
  if (!Predicate.isObject(value)) return undefined
  const objects = listMembers(ast).filter((it) => it._tag === "Objects")
  // Keys of a record, and everything in a value of any type, are the caller's own.
  if (objects.length === 0 || objects.some((it) => it.indexSignatures.length > 0)) return undefined
  const fields = new Map(
    objects.flatMap((it) => it.propertySignatures).map(({ name, type }) => [String(name), type])
  )
  for (const name of Object.keys(value)) {
    const field = fields.get(name)
    if (field === undefined) {
      if (isKnown(name)) continue
      return [name]
    }
    const found = findUnknown(field, value[name])
    if (found !== undefined) return [name, ...found]
  }
  return undefined
}

const listMembers = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> =>
  ast._tag === "Union" ? ast.types.flatMap(listMembers) : [ast]

/** The fields where the unknown one is. */
const listKnown = (ast: SchemaAST.AST, path: Path): ReadonlyArray<string> => {
  const [head, ...rest] = path
  const members = listMembers(ast)
  if (rest.length === 0) return members.flatMap(listNames)
  return members.flatMap((it): ReadonlyArray<string> => {
    if (it._tag === "Arrays") return it.rest.flatMap((item) => listKnown(item, rest))
    if (it._tag !== "Objects") return []
    return it.propertySignatures
      .filter(({ name }) => name === head)
      .flatMap(({ type }) => listKnown(type, rest))
  })
}

const toInvalidRequest = (path: Path, known: ReadonlyArray<string>): InvalidRequest =>
  new InvalidRequest({
    path,
    problem: `is no field of this operation; ${suggestNames(String(path.at(-1)), known)}`
  })
