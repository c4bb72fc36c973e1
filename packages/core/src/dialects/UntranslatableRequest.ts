/** A conversation that a dialect cannot express. */
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import { UpstreamFailure } from "../engine/upstreams/failures/UpstreamFailure.ts"

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
