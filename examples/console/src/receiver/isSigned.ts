/** Verifies the signature of an event. */
import { createHmac, timingSafeEqual } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"

/** Seconds by which clocks may differ. An older event may be a replay. */
const tolerance = 300

/** `secret` includes `whsec_`; `body` is the raw body, not parsed and serialized again. */
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
  // During a rotation there is one signature for each secret.
  return String(headers["webhook-signature"])
    .split(" ")
    .some((signature) => {
      const given = Buffer.from(signature.replace(/^v1,/, ""), "base64")
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
}
