/** Writes the format of an answer for OpenAI's APIs, which differ in where a schema stands. */
import type { AnswerFormat } from "../conversation/Conversation.ts"
import { omitUndefined } from "../values/ownFields.ts"

export const writeFormat = (
  format: AnswerFormat | undefined,
  dialect: "chat" | "responses"
): unknown => {
  switch (format?.type) {
    case undefined:
      return undefined
    case "text":
      return { type: "text" }
    case "json":
      return { type: "json_object" }
    case "schema": {
      const schema = {
        // OpenAI requires a name.
        name: format.name ?? "answer",
        schema: format.schema,
        ...omitUndefined({ description: format.description, strict: format.strict })
      }
      return dialect === "chat"
        ? { type: "json_schema", json_schema: schema }
        : { type: "json_schema", ...schema }
    }
    case "opaque":
      return format.dialect === dialect ? format.raw : undefined
  }
}
