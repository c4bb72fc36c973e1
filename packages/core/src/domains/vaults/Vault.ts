/** Vaults: one per workspace, which always exists, and a private one per intern. */
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { AccountId, WorkspaceId } from "../../values/ids/Ids.ts"
import { VaultId } from "./VaultId.ts"

/** A vault: shared by a workspace, or private to an intern. */
export const Vault = Schema.Struct({
  id: VaultId,
  account: AccountId,
  workspace: WorkspaceId,
  /** The id of the intern that owns the vault; null for the vault of the workspace. */
  intern: Schema.NullOr(Schema.String)
})
export type Vault = typeof Vault.Type

/** The vault is closed, because its owner is being deleted. */
export class VaultClosed extends Data.TaggedError("VaultClosed")<{}> {}

/** A secret without hosts cannot be copied. */
export class SecretUnbound extends Data.TaggedError("SecretUnbound")<{
  readonly name: string
}> {}

/** A stored secret cannot be unsealed: its sealing key is missing, or the row was altered. */
export class SecretUnreadable extends Data.TaggedError("SecretUnreadable")<{
  readonly name: string
  /** The id of the sealing key. */
  readonly sealedUnder: string
}> {}

/**
 * The name in lower case without a trailing dot, or the problem. Names must be ASCII (`xn--…`), because Unicode
 * names may look alike. IP addresses are not names.
 */
export const parseHostName = (text: string): Result.Result<string, string> => {
  // Before lower-casing, which turns some non-ASCII letters into ASCII ones.
  if (!allowedPattern.test(text))
    return Result.fail("must be the exact name of a host, and nothing else")
  const name = text.toLowerCase().replace(/\.$/, "")
  if (name.length > maxNameLength || !name.split(".").every((part) => labelPattern.test(part))) {
    return Result.fail("must be the exact name of a host, and nothing else")
  }
  const url = `https://${name}/`
  // URL parsers must see the same host; some read `0x7f.1` as an address.
  if (!URL.canParse(url) || new URL(url).hostname !== name || ipv4Pattern.test(name)) {
    return Result.fail("must be the name of a host as it is looked up, not an address")
  }
  return Result.succeed(name)
}

const allowedPattern = /^[A-Za-z0-9.-]+$/
const labelPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const ipv4Pattern = /^[0-9]+(?:\.[0-9]+){3}$/

/** https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4, without the length octets of a message. */
const maxNameLength = 253
