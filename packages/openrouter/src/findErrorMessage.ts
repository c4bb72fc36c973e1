/** The message of an error inside a response, if there is one. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** Truncated, so that an upstream cannot fill logs and records. */
export const findErrorMessage = (json: unknown): string | undefined => {
  const { error } = Option.getOrUndefined(decodeError(json)) ?? {}
  if (error === undefined) return undefined
  const message =
    typeof error === "string" ? error : Option.getOrUndefined(decodeMessage(error))?.message
  return (message ?? "the answer reports an error").slice(0, 500)
}

const decodeError = Schema.decodeUnknownOption(
  Schema.Struct({ error: Schema.Union([Schema.String, Schema.ObjectKeyword]) })
)

const decodeMessage = Schema.decodeUnknownOption(Schema.Struct({ message: Schema.String }))
