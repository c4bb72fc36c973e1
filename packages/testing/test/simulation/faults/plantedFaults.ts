/** Every fault that is planted to show that the simulation finds it. None of it is code of the product. */
import { budgetFaults } from "./budgetFaults.ts"
import { cacheFaults } from "./cacheFaults.ts"
import { credentialFaults } from "./credentialFaults.ts"
import { endlessStream } from "./endlessStream.ts"
import { internFaults } from "./internFaults.ts"
import { ledgerFaults } from "./ledgerFaults.ts"
import type { PlantedFault } from "./PlantedFault.ts"
import { storeFaults } from "./storeFaults.ts"
import { webhookFaults } from "./webhookFaults.ts"

export const plantedFaults: ReadonlyArray<PlantedFault> = [
  ...ledgerFaults,
  ...storeFaults,
  endlessStream,
  ...budgetFaults,
  ...credentialFaults,
  ...webhookFaults,
  ...internFaults,
  ...cacheFaults
]
