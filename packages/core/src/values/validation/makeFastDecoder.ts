/** A decoder of parsed JSON that returns valid input as it is, instead of building a copy. */
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import * as SchemaJITCompiler from "effect/schema/SchemaJITCompiler"
import { isExit } from "../eager.ts"

/**
 * Decodes like `Schema.decodeUnknownResult`, to which it leaves input that is invalid or would change: a `Struct` drops
 * unknown keys. The input must be parsed JSON that other code does not change. The order of keys stays that of the
 * input.
 */
export const makeFastDecoder = <S extends Schema.Constraint>(
  schema: S & { readonly DecodingServices: never }
): ((input: unknown) => Result.Result<S["Type"], Schema.SchemaError>) => {
  // Only this schema: the host decides whether its own schemas are compiled.
  SchemaJITCompiler.enable(schema.ast)
  const decode = Schema.decodeUnknownResult(schema)
  const match = makeMatch(schema.ast)
  return (input) => (match(input) === unchanged ? Result.succeed(input) : decode(input))
}

/** What decoding makes of a value: nothing else, perhaps something else, or an error. */
type Outcome = 2 | 1 | 0
const unchanged = 2
const unknown = 1
const invalid = 0

type Match = (value: unknown) => Outcome

const leastOf = (self: Outcome, that: Outcome): Outcome => (self < that ? self : that)

const makeTypeMatch =
  (isValid: (value: unknown) => boolean): Match =>
  (value) =>
    isValid(value) ? unchanged : invalid

const makeMatch = (ast: SchemaAST.AST): Match => {
  const match = makeUncheckedMatch(ast)
  const { checks } = ast
  if (checks === undefined || match === matchUnknown) return match
  return (value) => {
    const outcome = match(value)
    if (outcome !== unchanged) return outcome
    for (const check of checks) if (!passes(check, value, ast)) return invalid
    return outcome
  }
}

const passes = (check: SchemaAST.Check<unknown>, value: unknown, ast: SchemaAST.AST): boolean =>
  check._tag === "Filter"
    ? hasProperty(check, value) || check.run(value, ast, noOptions) === undefined
    : check.checks.every((each) => passes(each, value, ast))

/** Whether a check asks for one property, which is there: the check itself lists the keys of all. */
const hasProperty = ({ annotations }: SchemaAST.Filter<unknown>, value: unknown): boolean => {
  if (annotations?.arbitraryConstraint?.minProperties !== 1) return false
  for (const key in value as object) return Object.hasOwn(value as object, key)
  return false
}

const noOptions: SchemaAST.ParseOptions = {}

const matchUnknown: Match = () => unknown
const matchAnything: Match = () => unchanged

const makeUncheckedMatch = (ast: SchemaAST.AST): Match => {
  if (ast.encoding !== undefined || ast.annotations?.["parseOptions"] !== undefined) {
    return matchUnknown
  }
  switch (ast._tag) {
    case "Any":
    case "Unknown":
      return matchAnything
    case "Null":
      return makeTypeMatch((value) => value === null)
    case "String":
      return makeTypeMatch((value) => typeof value === "string")
    case "Number":
      return makeTypeMatch((value) => typeof value === "number")
    case "Boolean":
      return makeTypeMatch((value) => typeof value === "boolean")
    case "Literal":
      return makeTypeMatch((value) => value === ast.literal)
    case "Declaration":
      return ast.typeParameters.length === 0 ? makeDeclarationMatch(ast) : matchUnknown
    case "Union":
      return ast.options?.mode === "oneOf" ? matchUnknown : makeUnionMatch(ast.types.map(makeMatch))
    case "Arrays":
      return makeArrayMatch(ast)
    case "Objects":
      return makeObjectMatch(ast)
    case "BigInt":
    case "Enum":
    case "Never":
    case "ObjectKeyword":
    case "Suspend":
    case "Symbol":
    case "TemplateLiteral":
    case "Undefined":
    case "UniqueSymbol":
    case "Void":
      return matchUnknown
  }
}

const makeDeclarationMatch = (ast: SchemaAST.Declaration): Match => {
  const run = ast.run([])
  return (value) => {
    const decoded: Effect.Effect<unknown, unknown> = run(value, ast, noOptions)
    if (!isExit(decoded)) return unknown
    if (Exit.isFailure(decoded)) return invalid
    return decoded.value === value ? unchanged : unknown
  }
}

/** The first member that is valid decides. */
const makeUnionMatch =
  (members: ReadonlyArray<Match>): Match =>
  (value) => {
    for (const match of members) {
      const outcome = match(value)
      if (outcome !== invalid) return outcome
    }
    return invalid
  }

const makeArrayMatch = ({ elements, rest }: SchemaAST.Arrays): Match => {
  const first = elements.map(makeMatch)
  const [others, ...end] = rest.map(makeMatch)
  if (end.length > 0 || elements.some(isOptional)) return matchUnknown
  return (value) => {
    if (!Array.isArray(value) || value.length < first.length) return invalid
    let outcome: Outcome = unchanged
    for (let at = 0; at < value.length; at++) {
      const match = first[at] ?? others
      if (match === undefined) return invalid
      outcome = leastOf(outcome, match(value[at]))
      if (outcome === invalid) return invalid
    }
    return outcome
  }
}

const makeObjectMatch = ({ indexSignatures, propertySignatures }: SchemaAST.Objects): Match => {
  const fields = new Map<string, { readonly match: Match; readonly isRequired: boolean }>()
  for (const { name, type } of propertySignatures) {
    if (typeof name !== "string") return matchUnknown
    fields.set(name, { match: makeMatch(type), isRequired: !isOptional(type) })
  }
  const [index, ...others] = indexSignatures
  const isSupported =
    others.length === 0 &&
    (index === undefined
      ? fields.size > 0
      : index.parameter._tag === "String" &&
        index.parameter.checks === undefined &&
        index.parameter.encoding === undefined)
  if (!isSupported) return matchUnknown
  const required = [...fields].flatMap(([name, { isRequired }]) => (isRequired ? [name] : []))
  const matchIndexed = index === undefined ? undefined : makeMatch(index.type)
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return invalid
    for (const name of required) if (!Object.hasOwn(value, name)) return invalid
    let outcome: Outcome = unchanged
    for (const key in value) {
      const field = fields.get(key)
      const item: unknown = Reflect.get(value, key)
      if (matchIndexed !== undefined) outcome = leastOf(outcome, matchIndexed(item))
      // Unknown keys are dropped.
      else if (field === undefined) outcome = leastOf(outcome, unknown)
      if (field !== undefined) outcome = leastOf(outcome, field.match(item))
      if (outcome === invalid) return invalid
    }
    return outcome
  }
}

const isOptional = ({ context }: SchemaAST.AST): boolean => context?.isOptional === true
