/** Reads the parameters of an address one by one, or names the one at fault. Source: wire facts 1. */
import * as Result from "effect/Result"
import { InvalidRequest } from "../values/errors/RequestErrors.ts"
import { parseCursor } from "./cursor.ts"

/** As a router has split a query: a parameter given twice is a list. */
export type QueryParameters = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** Fails with the first parameter that is wrong. */
export const parseParameters = <A>(
  parameters: QueryParameters,
  read: (reader: ParameterReader) => A
): Result.Result<A, InvalidRequest> => {
  try {
    return Result.succeed(read(new ParameterReader(parameters)))
  } catch (error) {
    if (error instanceof InvalidRequest) return Result.fail(error)
    throw error
  }
}

export class ParameterReader {
  readonly #parameters: QueryParameters

  constructor(parameters: QueryParameters) {
    this.#parameters = parameters
  }

  /** What is given for a parameter; empty values are what clients send for nothing. */
  #given(name: string): ReadonlyArray<string> {
    const given = Object.hasOwn(this.#parameters, name) ? this.#parameters[name] : undefined
    const values = given === undefined || typeof given === "string" ? [given ?? ""] : given
    return values.map((value) => value.trim()).filter((value) => value !== "")
  }

  /** Given twice, it must say the same. */
  text(name: string): string | undefined {
    const [first, ...others] = new Set(this.#given(name))
    return others.length === 0 ? first : failParameter(name, "is given more than once")
  }

  oneOf<const Value extends string>(name: string, values: ReadonlyArray<Value>): Value | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    return (
      values.find((value) => value === text) ??
      failParameter(name, `must be one of ${values.join(", ")}; got ${quoteValue(text)}`)
    )
  }

  /** Comma-separated, given once or often; blanks around names and repetitions do not matter. */
  list(name: string): ReadonlyArray<string> | undefined {
    const names = this.#given(name)
      .flatMap((value) => value.split(","))
      .map((each) => each.trim())
      .filter((each) => each !== "")
    return names.length === 0 ? undefined : Array.from(new Set(names))
  }

  listOf<const Value extends string>(
    name: string,
    values: ReadonlyArray<Value>
  ): ReadonlyArray<Value> | undefined {
    return this.list(name)?.map(
      (text) =>
        values.find((value) => value === text) ??
        failParameter(name, `knows ${values.join(", ")}; got ${quoteValue(text)}`)
    )
  }

  number(name: string, max = Infinity): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = decimal.test(text) ? Number(text) : Number.NaN
    if (Number.isFinite(value) && value >= 0 && value <= max) return value
    return failParameter(
      name,
      `must be a number ${max === Infinity ? "of 0 or more" : `from 0 to ${max}`}; got ${quoteValue(text)}`
    )
  }

  whole(name: string, min: number, max = Infinity): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = decimal.test(text) ? Number(text) : Number.NaN
    if (Number.isSafeInteger(value) && value >= min && value <= max) return value
    return failParameter(
      name,
      `must be a whole number ${max === Infinity ? `of ${min} or more` : `from ${min} to ${max}`}; got ${quoteValue(text)}`
    )
  }

  /** The place behind a `next_cursor`. */
  cursor(name: string): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    return (
      parseCursor(text) ??
      failParameter(name, `must be the next_cursor of the page before; got ${quoteValue(text)}`)
    )
  }

  /** Of `min_{name}` and `max_{name}`. */
  range(
    name: string,
    max = Infinity
  ): { readonly min?: number; readonly max?: number } | undefined {
    const least = this.number(`min_${name}`, max)
    const most = this.number(`max_${name}`, max)
    return least === undefined && most === undefined
      ? undefined
      : {
          ...(least === undefined ? undefined : { min: least }),
          ...(most === undefined ? undefined : { max: most })
        }
  }
}

/** What `Number` takes beside it (`0x10`, `Infinity`) nobody means. */
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

const failParameter = (name: string, problem: string): never => {
  throw new InvalidRequest({ path: [name], problem })
}

const quoteValue = (text: string): string =>
  JSON.stringify(text.length <= 60 ? text : `${text.slice(0, 60).toWellFormed()}…`)
