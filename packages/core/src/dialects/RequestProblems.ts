/** The first problem of a request. Parsing goes on after it, so that each parser returns what it parses. */
import * as Result from "effect/Result"
import { UntranslatableRequest } from "./UntranslatableRequest.ts"

export type Path = ReadonlyArray<number | string>

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
