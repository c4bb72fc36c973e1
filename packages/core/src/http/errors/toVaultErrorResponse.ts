/** What a caller is told when a vault does not do what it is asked. Source: wire, errors of the operations of vaults. */
import type { SecretUnbound, SecretUnreadable, VaultClosed } from "../../vaults/VaultErrors.ts"
import type { ErrorResponse } from "./ErrorResponse.ts"

export const toVaultErrorResponse = (
  error: SecretUnbound | SecretUnreadable | VaultClosed
): ErrorResponse => {
  switch (error._tag) {
    case "SecretUnbound":
      return {
        status: 409,
        message: `The secret ${error.name} is bound to no host, and cannot be copied`,
        metadata: { error_type: "secret_unbound", name: error.name }
      }
    case "VaultClosed":
      return {
        status: 409,
        message: "The vault is closed",
        metadata: { error_type: "vault_closed" }
      }
    case "SecretUnreadable":
      // The name is the caller's; which of the host's keys is gone is for the log.
      return {
        status: 500,
        message: `The secret ${error.name} cannot be read any more; put it again`,
        metadata: { error_type: "secret_unreadable", name: error.name }
      }
  }
}
