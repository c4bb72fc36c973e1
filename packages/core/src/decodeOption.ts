/** Decodes a part of the options with the schema of the HTTP API. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { toInvalidRequest } from "./values/errors/toInvalidRequest.ts"

/** Decodes like the HTTP API. Throws a `RangeError` that names the option and the field at fault. */
export const decodeOption = <S extends Schema.ConstraintDecoder<unknown>>(
  option: string,
  schema: S,
  value: unknown
): S["Type"] =>
  Result.getOrThrowWith(
    Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })(value),
    (error) => {
      const { path, problem } = toInvalidRequest(error)
      const fieldPath = path
        .join(".")
        .replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
      return new RangeError([option, fieldPath, problem].filter((part) => part !== "").join(": "))
    }
  )
