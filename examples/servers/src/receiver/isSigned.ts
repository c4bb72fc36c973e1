/** Whether an event is from the service that shares a secret with this receiver. */
import { createHmac, timingSafeEqual } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"

/** Seconds that clocks may differ by; what is older, somebody may have recorded and sent again. */
const tolerance = 300

/** `secret` as it was told, `whsec_` included; `body` as it came, not parsed and written anew. */
export const isSigned = (
  secret: string,
  headers: IncomingHttpHeaders,
  body: string,
  now = Date.now()
): boolean => {
  const id = String(headers["webhook-id"])
  const timestamp = String(headers["webhook-timestamp"])
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= tolerance)) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64")
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest()
  // Several while one secret replaces another.
  return String(headers["webhook-signature"])
    .split(" ")
    .some((signature) => {
      const given = Buffer.from(signature.replace(/^v1,/, ""), "base64")
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
}
