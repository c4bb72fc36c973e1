/** Constructors of the contract's parameters. They parse leniently and describe problems precisely. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { hasCalendarDate } from "../../values/IsoDateTime.ts"
import { parseDecimal } from "../../values/validation/parseDecimal.ts"
import {
  type DefaultedParameter,
  type Parameter,
  parseList,
  parseOne,
  quote,
  type RequiredParameter,
  toParameter
} from "./ParameterRule.ts"

const parseLiteral = <const L extends ReadonlyArray<string>>(
  values: L,
  text: string
): Result.Result<L[number], string> => {
  const known = values.find((value) => value === text)
  return known === undefined
    ? Result.fail(`must be one of ${values.join(", ")}; got ${quote(text)}`)
    : Result.succeed(known)
}

const toBounds = (minimum: number, maximum: number) => ({
  minimum,
  ...(maximum === Infinity ? undefined : { maximum })
})

const toListPattern = (values: ReadonlyArray<string>): string => {
  const name = `(?:${values.join("|")})`
  return `^${name}(?:,${name})*$`
}

const describe = (description: string | undefined) =>
  description === undefined ? undefined : { description }

export const textParameter = (description?: string): Parameter<string> =>
  Schema.optionalKey(requiredTextParameter(description))

export const requiredTextParameter = (description?: string): RequiredParameter<string> =>
  toParameter(Schema.String, {
    parse: parseOne(Result.succeed),
    jsonSchema: { type: "string", ...describe(description) }
  })

interface NumberOptions<Default> {
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: Default
  readonly description?: string
}

export function integerParameter(
  options: NumberOptions<number> & { readonly default: number }
): DefaultedParameter<number>
export function integerParameter(options: NumberOptions<undefined>): Parameter<number>
export function integerParameter({
  default: defaultValue,
  description,
  maximum = Infinity,
  minimum = 0
}: NumberOptions<number | undefined>): Parameter<number> {
  const bounds = maximum === Infinity ? `of ${minimum} or more` : `from ${minimum} to ${maximum}`
  const parse = parseOne((text) => {
    const value = parseDecimal(text)
    return Number.isSafeInteger(value) && value >= minimum && value <= maximum
      ? Result.succeed(value)
      : Result.fail(`must be a whole number ${bounds}; got ${quote(text)}`)
  })
  const parameter = Schema.optionalKey(
    toParameter(Schema.Number, {
      parse:
        defaultValue === undefined
          ? parse
          : (values) => Result.map(parse(values), (value) => value ?? defaultValue),
      jsonSchema: {
        type: "integer",
        ...toBounds(minimum, maximum),
        ...(defaultValue === undefined ? undefined : { default: defaultValue }),
        ...describe(description)
      }
    })
  )
  return defaultValue === undefined ? parameter : Object.assign(parameter, { defaultValue })
}

/** A point in time in ISO 8601, which stays text. A date alone begins at midnight UTC. */
export const timeParameter = (description?: string): Parameter<string> =>
  Schema.optionalKey(
    toParameter(Schema.String, {
      parse: parseOne((text) =>
        isoTime.test(text) && hasCalendarDate(text) && !Number.isNaN(Date.parse(text))
          ? Result.succeed(text)
          : Result.fail(`must be a time such as 2026-11-01T00:00:00Z; got ${quote(text)}`)
      ),
      jsonSchema: { type: "string", format: "date-time", ...describe(description) }
    })
  )

/** Milliseconds since the epoch; undefined without a value. */
export const toMillis = (time: string | undefined): number | undefined =>
  time === undefined ? undefined : Date.parse(time)

/** A time needs an offset, because a caller does not know the server's time zone. */
const isoTime = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** A finite number, at least 0. */
export const numberParameter = ({
  description,
  maximum = Infinity
}: Pick<NumberOptions<undefined>, "description" | "maximum"> = {}): Parameter<number> =>
  Schema.optionalKey(
    toParameter(Schema.Number, {
      parse: parseOne((text) => {
        const value = parseDecimal(text)
        return Number.isFinite(value) && value >= 0 && value <= maximum
          ? Result.succeed(value)
          : Result.fail(
              `must be a number ${maximum === Infinity ? "of 0 or more" : `from 0 to ${maximum}`}; got ${quote(text)}`
            )
      }),
      jsonSchema: { type: "number", ...toBounds(0, maximum), ...describe(description) }
    })
  )

/** `min_{name}` and `max_{name}`, both inclusive. */
export const rangeParameters = <const Name extends string>(
  name: Name,
  options: Parameters<typeof numberParameter>[0] = {}
) =>
  // A computed key widens to `string`.
  ({ [`min_${name}`]: numberParameter(options), [`max_${name}`]: numberParameter(options) }) as {
    readonly [K in `max_${Name}` | `min_${Name}`]: Parameter<number>
  }

export const toRange = (
  min: number | undefined,
  max: number | undefined
): { readonly min?: number; readonly max?: number } | undefined =>
  min === undefined && max === undefined
    ? undefined
    : { ...(min === undefined ? undefined : { min }), ...(max === undefined ? undefined : { max }) }

export const booleanParameter = (description?: string): Parameter<boolean> =>
  Schema.optionalKey(
    toParameter(Schema.Boolean, {
      parse: parseOne((text) =>
        Result.map(parseLiteral(["true", "false"], text), (value) => value === "true")
      ),
      jsonSchema: { type: "boolean", ...describe(description) }
    })
  )

/** A parameter whose only value is `true`. */
export const trueParameter = (description?: string): Parameter<true> =>
  Schema.optionalKey(
    toParameter(Schema.Literal(true), {
      parse: parseOne((text) => Result.map(parseLiteral(["true"], text), () => true as const)),
      jsonSchema: { type: "boolean", enum: [true], ...describe(description) }
    })
  )

export const literalParameter = <const L extends ReadonlyArray<string>>(
  values: L,
  description?: string
): Parameter<L[number]> => Schema.optionalKey(requiredLiteralParameter(values, description))

export const requiredLiteralParameter = <const L extends ReadonlyArray<string>>(
  values: L,
  description?: string
): RequiredParameter<L[number]> =>
  toParameter<L[number]>(Schema.Literals(values), {
    parse: parseOne((text) => parseLiteral(values, text)),
    jsonSchema: { type: "string", enum: values, ...describe(description) }
  })

/** Comma-separated. */
export const textListParameter = (description?: string): Parameter<ReadonlyArray<string>> =>
  Schema.optionalKey(
    toParameter(
      Schema.Array(Schema.String),
      {
        parse: parseList(Result.succeed),
        jsonSchema: { type: "string", ...describe(description) }
      },
      (list) => list.join(",")
    )
  )

/** Comma-separated. */
export const literalListParameter = <const L extends ReadonlyArray<string>>(
  values: L,
  description?: string
): Parameter<ReadonlyArray<L[number]>> =>
  Schema.optionalKey(
    toParameter<ReadonlyArray<L[number]>>(
      Schema.Array(Schema.Literals(values)),
      {
        parse: parseList((text) => {
          const known = values.find((value) => value === text)
          return known === undefined
            ? Result.fail(
                `must be a comma-separated list of ${values.join(", ")}; got ${quote(text)}`
              )
            : Result.succeed(known)
        }),
        jsonSchema: {
          type: "string",
          pattern: toListPattern(values),
          ...describe(description)
        }
      },
      (list) => list.join(",")
    )
  )

/** A header of bounded length, not trimmed. */
export const headerParameter = ({
  description,
  maxLength
}: {
  readonly maxLength: number
  readonly description?: string
}): Parameter<string> =>
  Schema.optionalKey(
    toParameter(Schema.String, {
      parse: ([text]) =>
        text === undefined || (text.length >= 1 && text.length <= maxLength)
          ? Result.succeed(text)
          : Result.fail(`must have 1 to ${maxLength} characters`),
      jsonSchema: { type: "string", minLength: 1, maxLength, ...describe(description) }
    })
  )
