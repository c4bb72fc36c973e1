/** Finds the session that the headers of a chat name, for every chat API. */
import type { SettingsShape } from "../../../instance/Settings.ts"

/** Headers of clients count where `x-session-id` is missing, and only if they hold a valid id. */
export const findSessionId = (
  headers: Readonly<Record<string, string | undefined>>,
  { sessionIdHeaders }: Pick<SettingsShape, "sessionIdHeaders">
): string | undefined =>
  headers["x-session-id"] ??
  sessionIdHeaders
    .map((name) => headers[name.toLowerCase()])
    .find((value) => value !== undefined && value !== "" && value.length <= maxLength)

/** The same maximum as for `session_id`. */
const maxLength = 256
