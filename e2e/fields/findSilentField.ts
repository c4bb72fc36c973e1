/** Tries whether a field of a request is lost in silence. */
import { isToldBy } from "./isToldBy.ts"
import { type FieldCase, getAt, omitAt, replaceAt, toFieldName } from "./publishedFields.ts"

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
  /** What a field needs beside it to ask for anything, such as tools to choose among; by its first names. */
  readonly beside: Json
  /** Whether it has its effect in the router, or asks for nothing. */
  readonly isDone: (tried: FieldCase) => boolean
}

/** Where a request is sent, and how, is decided by the test. */
const routed: ReadonlySet<unknown> = new Set(["fallbacks", "model", "models", "provider", "stream"])

export const isTried = ({ path, value }: FieldCase): boolean =>
  !routed.has(path[0]) && asksForSomething(getAt(value, path))

const asksForSomething = (value: unknown): boolean =>
  value !== "" && !(typeof value === "object" && Object.keys(value ?? {}).length === 0)

/**
 * The name of the field and its value; undefined: it reaches the provider, is told, refused or done. One value of a list of
 * values may say what happens anyway. `others` are sent as well.
 */
export const findSilentField = async (
  tried: FieldCase,
  { ask, base, beside, isDone }: SilenceOptions,
  others: Json = {}
): Promise<string | undefined> => {
  const { isFixed, path, value } = tried
  const field = toFieldName(path)
  // The smallest request has it, with another value.
  if (path.length === 1 && Object.hasOwn(base, field)) return undefined
  if (isDone(tried)) return undefined
  const needed = Object.entries(beside).find(([name]) => isWithin(field, name))?.[1]
  const toBody = (given: unknown): object => ({
    ...base,
    ...others,
    ...toObject(join(needed, pick(given, path[0])))
  })
  const asked = await ask(toBody(value))
  const isTold = ({ told }: Observed) => told.some((name) => isToldBy({ field }, name))
  if (asked.status >= 400 || isTold(asked)) return undefined
  const isHeardUnlike = ({ sent, status }: Observed) =>
    status >= 400 || sent.at(-1) !== asked.sent.at(-1)
  // What says which object it is, is heard if the object is.
  const omitted = isFixed === true || path.at(-1) === "type" ? path.slice(0, -1) : path
  if (isHeardUnlike(await ask(toBody(omitAt(value, omitted))))) return undefined
  for (const other of tried.others ?? [undefined]) {
    const answered = other !== undefined && (await ask(toBody(replaceAt(value, path, other))))
    if (answered === false || !(isTold(answered) || isHeardUnlike(answered))) {
      return `${field}: ${JSON.stringify(getAt(value, path))}`
    }
  }
  return undefined
}

const isWithin = (field: string, name: string): boolean =>
  field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`)

const pick = (value: unknown, name: number | string | undefined): Json => {
  const found = name === undefined ? undefined : getAt(value, [name])
  return name === undefined || found === undefined ? {} : { [name]: found }
}

const toObject = (value: unknown): object =>
  typeof value === "object" && value !== null ? value : {}

/** The second value with the fields that only the first has, at any depth. */
const join = (needed: unknown, given: unknown): unknown => {
  if (given === undefined) return needed
  if (typeof needed !== "object" || typeof given !== "object") return given
  if (needed === null || given === null) return given
  if (Array.isArray(given)) {
    return given.length === 0
      ? needed
      : given.map((each: unknown, at) => join(Reflect.get(needed, at), each))
  }
  const names = new Set([...Object.keys(needed), ...Object.keys(given)])
  return Object.fromEntries(
    Array.from(names, (name) => [name, join(Reflect.get(needed, name), Reflect.get(given, name))])
  )
}
