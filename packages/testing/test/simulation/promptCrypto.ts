/** Cryptography that is done when it is called: that of the platform is done by other threads, whose time no seed decides. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from "node:crypto"

/** Of AES-GCM, as the platform takes them. */
interface GcmParameters {
  readonly iv: Uint8Array
  readonly additionalData?: Uint8Array
}

interface HkdfParameters {
  readonly salt: Uint8Array
  readonly info: Uint8Array
}

/** Keys are their bytes. */
const calls: Readonly<Record<string, unknown>> = {
  importKey: (_format: string, bytes: Uint8Array) => Promise.resolve(bytes),
  sign: (_algorithm: unknown, key: Uint8Array, data: Uint8Array) =>
    Promise.resolve(toBuffer(createHmac("sha256", key).update(data).digest())),
  deriveBits: ({ info, salt }: HkdfParameters, key: Uint8Array, bits: number) =>
    Promise.resolve(hkdfSync("sha256", key, salt, info, bits / 8)),
  encrypt: ({ additionalData, iv }: GcmParameters, key: Uint8Array, data: Uint8Array) => {
    const cipher = createCipheriv("aes-256-gcm", key, iv)
    if (additionalData !== undefined) cipher.setAAD(additionalData)
    const sealed = [cipher.update(data), cipher.final()]
    return Promise.resolve(toBuffer(Buffer.concat([...sealed, cipher.getAuthTag()])))
  },
  decrypt: async ({ additionalData, iv }: GcmParameters, key: Uint8Array, data: Uint8Array) => {
    const cipher = createDecipheriv("aes-256-gcm", key, iv)
    if (additionalData !== undefined) cipher.setAAD(additionalData)
    cipher.setAuthTag(data.subarray(-tagLength))
    try {
      return toBuffer(Buffer.concat([cipher.update(data.subarray(0, -tagLength)), cipher.final()]))
    } catch {
      throw new DOMException("the tag is another", "OperationError")
    }
  }
}

const tagLength = 16

const toBuffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

/** What instances do not call is an error. */
const subtle = new Proxy(globalThis.crypto.subtle, {
  get: (_, name) => calls[String(name)]
})

export const promptCrypto: Crypto = new Proxy(globalThis.crypto, {
  get: (crypto, name) => {
    if (name === "subtle") return subtle
    const member: unknown = Reflect.get(crypto, name)
    return typeof member === "function" ? member.bind(crypto) : member
  }
})
