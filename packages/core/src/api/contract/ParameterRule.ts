/** Parses the text of a parameter to a typed value and describes it in the OpenAPI document. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaIssue from "effect/SchemaIssue"

/** A parameter may be given several times; its rule parses all values to one. */
export interface ParameterRule<A = unknown> {
  /** Undefined when no value is given. A failure is the problem, without the parameter's name. */
  readonly parse: (values: ReadonlyArray<string>) => Result.Result<A | undefined, string>
  /** The parameter's schema in the OpenAPI document. */
  readonly jsonSchema: Readonly<Record<string, unknown>>
}

/** Text in a URL, `A` for handlers and typed clients. */
export interface RequiredParameter<A> extends Schema.Codec<A, string> {}

export interface Parameter<A> extends Schema.optionalKey<RequiredParameter<A>> {}

/** A parameter that clients may omit and handlers always receive. */
export type DefaultedParameter<A> = Parameter<A> & { readonly defaultValue: A }

const annotationKey = "~signalbox/parameter"

/** Undefined for schemas that `toParameter` did not create. */
export const findParameterRule = SchemaAST.resolveAt<ParameterRule>(annotationKey)

export const toParameter = <A>(
  value: Schema.Codec<A>,
  rule: ParameterRule<A>,
  format: (value: A) => string = String
): RequiredParameter<A> =>
  Schema.String.pipe(
    Schema.decodeTo(value, {
      decode: SchemaGetter.transformEffect((text: string) => {
        const read = rule.parse([text])
        return Result.isSuccess(read) && read.success !== undefined
          ? Effect.succeed(read.success)
          : Effect.fail(
              new SchemaIssue.InvalidValue({
                message: Result.isFailure(read) ? read.failure : "is missing"
              })
            )
      }),
      encode: SchemaGetter.transform(format)
    })
  ).annotate({ [annotationKey]: rule })

/** Clients send empty values for parameters without a value. */
const nonEmpty = (values: ReadonlyArray<string>): ReadonlyArray<string> =>
  values.map((value) => value.trim()).filter((value) => value !== "")

/** Parses a single value. Repetitions must be equal. */
export const parseOne =
  <A>(parse: (text: string) => Result.Result<A, string>): ParameterRule<A>["parse"] =>
  (values) => {
    const [first, ...others] = new Set(nonEmpty(values))
    if (others.length > 0) return Result.fail("is given more than once")
    return first === undefined ? Result.succeed(undefined) : parse(first)
  }

/** Parses a comma-separated list, which may be given several times. Duplicates are dropped. */
export const parseList =
  <A>(
    parse: (text: string) => Result.Result<A, string>
  ): ParameterRule<ReadonlyArray<A>>["parse"] =>
  (values) => {
    const names = new Set(nonEmpty(values.flatMap((value) => value.split(","))))
    return names.size === 0
      ? Result.succeed(undefined)
      : Result.all(Array.from(names, (name) => parse(name)))
  }

export const quote = (text: string): string =>
  JSON.stringify(text.length <= 60 ? text : `${text.slice(0, 60).toWellFormed()}…`)
