/** Tries whether a field of a request is lost in silence. */
import { isToldBy } from "./isToldBy.ts"
import { type FieldCase, omitAt, toFieldName } from "./publishedFields.ts"

type Json = Readonly<Record<string, unknown>>

interface Observed {
  readonly status: number
  /** What `X-Signalbox-Ignored` names. */
  readonly told: ReadonlyArray<string>
  /** The bodies that the provider got. */
  readonly sent: ReadonlyArray<string>
}

export interface SilenceOptions {
  /** The smallest request. */
  readonly base: Json
  readonly ask: (body: object) => Promise<Observed>
  /** Tools to choose among; absent: the operation has none. */
  readonly tools?: ReadonlyArray<Json>
  /** Fields that have their effect in the router, or ask for nothing. */
  readonly done: ReadonlyArray<string>
}

/** Where a request is sent, and how, is decided by the test. */
const routed: ReadonlySet<unknown> = new Set(["fallbacks", "model", "models", "provider", "stream"])

export const isTried = ({ path, value }: FieldCase): boolean =>
  !routed.has(path[0]) && asksForSomething(path.reduce<unknown>(getField, value))

const getField = (holder: unknown, name: number | string): unknown =>
  typeof holder === "object" && holder !== null ? (holder as Json)[name] : undefined

const asksForSomething = (value: unknown): boolean =>
  value !== false &&
  value !== "" &&
  !(typeof value === "object" && Object.keys(value ?? {}).length === 0)

/** The name of the field; undefined: it reaches the provider, is told, refused or done. `beside` is sent as well. */
export const findSilentField = async (
  { path, value }: FieldCase,
  { ask, base, done, tools }: SilenceOptions,
  beside: Json = {}
): Promise<string | undefined> => {
  const field = toFieldName(path)
  // The smallest request has it, with another value.
  if (path.length === 1 && Object.hasOwn(base, field)) return undefined
  const isDone = done.some(
    (name) => field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[]`)
  )
  if (isDone) return undefined
  const toBody = (given: unknown): object => ({
    ...base,
    ...beside,
    ...pick(given, path[0]),
    ...(path[0] === "tool_choice" ? { tools } : undefined)
  })
  const asked = await ask(toBody(value))
  if (asked.status >= 400) return undefined
  if (asked.told.some((name) => isToldBy({ field }, name))) return undefined
  const less = await ask(toBody(omitAt(value, path)))
  return less.status >= 400 || less.sent.at(-1) !== asked.sent.at(-1) ? undefined : field
}

const pick = (value: unknown, name: number | string | undefined): Json => {
  const found = name === undefined ? undefined : getField(value, name)
  return name === undefined || found === undefined ? {} : { [name]: found }
}
