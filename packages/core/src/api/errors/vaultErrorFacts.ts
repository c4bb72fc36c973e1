/** Errors of vaults. */
import type { ErrorTable } from "./ErrorFacts.ts"
import type {
  SecretUnbound,
  SecretUnreadable,
  VaultClosed
} from "../../domains/vaults/VaultErrors.ts"

type VaultError = SecretUnbound | SecretUnreadable | VaultClosed

export const vaultErrorFacts: ErrorTable<VaultError> = {
  SecretUnbound: ({ name }) => ({
    status: 409,
    message: `The secret ${name} is bound to no host, and cannot be copied`,
    type: "secret_unbound",
    details: { name }
  }),
  VaultClosed: () => ({ status: 409, message: "The vault is closed", type: "vault_closed" }),
  // Only the log names the missing sealing key.
  SecretUnreadable: ({ name }) => ({
    status: 500,
    message: `The secret ${name} cannot be read any more; put it again`,
    type: "secret_unreadable",
    details: { name }
  })
}
