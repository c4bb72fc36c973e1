/** The first problem of a request. Parsing goes on after it, so that each parser returns what it parses. */
import { UntranslatableRequest } from "../UntranslatableRequest.ts"

export type Path = ReadonlyArray<number | string>

export class RequestProblems {
  first: UntranslatableRequest | undefined

  add(path: Path, problem: string): void {
    this.first ??= new UntranslatableRequest({ path, problem })
  }
}
