/** Errors of authentication and permissions. */
import type {
  NotPermitted,
  Unauthenticated,
  WorkspaceNotFound
} from "../../tenants/auth/AuthErrors.ts"
import type { ErrorTable } from "./ErrorFacts.ts"

export const missingKeyMessage = "Missing Authentication header"
const internKeyMessage = "Invalid or missing API key"

type AuthError = NotPermitted | Unauthenticated | WorkspaceNotFound

export const authErrorFacts: ErrorTable<AuthError> = {
  Unauthenticated: ({ reason }) => ({
    status: 401,
    ...(reason === "missing_key"
      ? { message: missingKeyMessage }
      : { message: "The API key is unknown, disabled or expired", reason }),
    intern: { message: internKeyMessage },
    internChat: { message: internKeyMessage }
  }),
  NotPermitted: ({ needs }) => ({ status: 403, message: permissionMessages[needs] }),
  // The host's mistake, but clients repeat a 5xx, and nothing changes until the host fixes it.
  WorkspaceNotFound: ({ workspace }) => ({
    status: 403,
    message: `The workspace ${JSON.stringify(workspace)} that the application put this caller into does not exist`
  })
}

const permissionMessages: Readonly<Record<NotPermitted["needs"], string>> = {
  "a management key": "Only management keys can perform this operation",
  "a management key of the host's own account":
    "Only management keys of the host's own account can perform this operation",
  "a management key for a weight above 1":
    "Only management keys can label with a weight above 1; leave it out",
  "a management key for the Decision of another caller":
    "Only management keys can label a Decision that another caller asked for",
  "a member or organization key":
    "Management keys cannot run models; use a member or organization key",
  "a key of a workspace": "Management keys are of no workspace; use a member or organization key"
}
