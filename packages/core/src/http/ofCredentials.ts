/** What an account other than the host's may know of the health its plan was made with: that of its credentials. */
import type { HealthSnapshot } from "../health/HealthSnapshot.ts"
import { isOfCredential } from "./isOfCredential.ts"

/** The figures of endpoints are those of all accounts together. */
export const ofCredentials = ({ endpoints, ...rest }: HealthSnapshot): HealthSnapshot => ({
  ...rest,
  endpoints: Object.fromEntries(Object.entries(endpoints).filter(([id]) => isOfCredential(id)))
})
