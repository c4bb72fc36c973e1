/** The detectors that guardrails name. */
import type { Detector } from "./Detector.ts"
import { findEmails, findIpAddresses, findPhones } from "./detectors/contacts.ts"
import { findInjections } from "./detectors/injection.ts"
import { findNationalNumbers, findSsns } from "./detectors/nationalNumbers.ts"
import { findCards, findIbans } from "./detectors/numbers.ts"
import { findSecrets } from "./detectors/secrets.ts"

/** By their slugs. */
export const builtinDetectors: Readonly<Record<string, Detector>> = {
  email: findEmails,
  phone: findPhones,
  ssn: findSsns,
  "credit-card": findCards,
  "ip-address": findIpAddresses,
  iban: findIbans,
  "national-id": findNationalNumbers,
  secrets: findSecrets,
  "regex-prompt-injection": findInjections
}
