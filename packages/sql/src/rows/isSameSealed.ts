/** Compares sealed secrets, so that a change applies only to the secret its caller has read. */
import type { SealedSecret } from "@signalbox/core/stores"

/** Whether both are absent or the same sealing of one value. */
export const isSameSealed = (
  self: SealedSecret | undefined,
  that: SealedSecret | undefined
): boolean => self?.ciphertext === that?.ciphertext && self?.keyId === that?.keyId
