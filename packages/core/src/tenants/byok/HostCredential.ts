/** What an option of the host says of a credential. */
import type * as Redacted from "effect/Redacted"
import type { NewCredential } from "./Credential.ts"

/** A credential that the host configures. */
export interface HostCredential extends Omit<NewCredential, "key" | "name" | "workspace_id"> {
  readonly key: string | Redacted.Redacted
  /** Distinguishes several credentials of one provider. */
  readonly name?: string
  /** The id or slug of a workspace; default: every workspace. If it does not exist, the credential is skipped with a warning. */
  readonly workspace_id?: string
}
