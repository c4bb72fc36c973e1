/** A conversation that a dialect cannot express, and readers of fields that collect what is wrong with a request. */
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import { UpstreamFailure } from "../engine/upstreams/failures/UpstreamFailure.ts"
import { isObject } from "../values/json/guards.ts"
import { setOwn } from "../values/ownFields.ts"

/** Found before anything is sent; the caller can correct it, so it is a 400. */
export class UntranslatableRequest extends Data.TaggedError("UntranslatableRequest")<{
  /** The path in the caller's request, such as `["messages", 3]`; empty: the problem has no place. */
  readonly path: ReadonlyArray<number | string>
  /** The problem, in terms of the caller's request, such as the id of a call. */
  readonly problem: string
}> {}

/** Fails because a dialect cannot express a part of a request. */
export const failTranslation = (
  path: ReadonlyArray<number | string>,
  problem: string
): Result.Result<never, UntranslatableRequest> =>
  Result.fail(new UntranslatableRequest({ path, problem }))

/** Another endpoint may serve the request. */
export const toUnsupported = ({ path, problem }: UntranslatableRequest): UpstreamFailure =>
  new UpstreamFailure({
    kind: "unsupported_parameter",
    detail: path.length === 0 ? problem : `${path.join(".")} ${problem}`
  })

export type Path = ReadonlyArray<number | string>

/** The first problem of a request. Parsing goes on after it, so that each parser returns what it parses. */
export class RequestProblems {
  first: UntranslatableRequest | undefined

  add(path: Path, problem: string): void {
    this.first ??= new UntranslatableRequest({ path, problem })
  }

  /** The value that was read; undefined after a problem, which is added. */
  take<A>(read: Result.Result<A, UntranslatableRequest>): A | undefined {
    if (Result.isSuccess(read)) return read.success
    this.first ??= read.failure
    return undefined
  }

  /** `parsed`, unless there was a problem. */
  orFail<A>(parsed: A): Result.Result<A, UntranslatableRequest> {
    return this.first === undefined ? Result.succeed(parsed) : Result.fail(this.first)
  }
}

type Json = Readonly<Record<string, unknown>>
type Read<A> = Result.Result<A | undefined, UntranslatableRequest>

/** Null counts as absent. */
export const findField = (json: Json, name: string): unknown =>
  Object.hasOwn(json, name) ? (json[name] ?? undefined) : undefined

export const findText = (json: Json, name: string): string | undefined => {
  const value = findField(json, name)
  return typeof value === "string" ? value : undefined
}

const absent = Result.succeed(undefined)

const root: ReadonlyArray<number | string> = []

const makeRead =
  <A>(isA: (value: unknown) => value is A, problem: string) =>
  (json: Json, name: string, path: ReadonlyArray<number | string> = root): Read<A> => {
    const value = findField(json, name)
    if (value === undefined) return absent
    return isA(value) ? Result.succeed(value) : failTranslation([...path, name], problem)
  }

export const readNumber = makeRead(
  (value): value is number => typeof value === "number" && Number.isFinite(value),
  "must be a number"
)

export const readCount = makeRead(
  (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0,
  "must be a whole number of at least 0"
)

export const readText = makeRead(
  (value): value is string => typeof value === "string",
  "must be a string"
)

export const readObject = makeRead(isObject, "must be an object")

export const readTexts = makeRead(
  (value): value is ReadonlyArray<string> =>
    Array.isArray(value) && value.every((each) => typeof each === "string"),
  "must be a list of strings"
)

export const readList = makeRead(
  (value): value is ReadonlyArray<unknown> => Array.isArray(value),
  "must be a list"
)

export const isEmpty = (json: object): boolean => {
  for (const _ in json) return false
  return true
}

/** The fields without these and without those that are null, in a new object. */
export const omitFields = (json: Json, names: ReadonlySet<string>): Record<string, unknown> => {
  const others: Record<string, unknown> = {}
  for (const name in json) {
    const value = json[name]
    if (value !== null && value !== undefined && !names.has(name)) setOwn(others, name, value)
  }
  return others
}
