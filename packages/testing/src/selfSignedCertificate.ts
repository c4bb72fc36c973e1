/** A certificate that no client trusts by default, made at run time with `node:crypto` alone. */
import { generateKeyPairSync, sign } from "node:crypto"

export interface Certificate {
  /** PEM. */
  readonly key: string
  /** PEM. */
  readonly cert: string
}

/** For `localhost` and 127.0.0.1, valid from 2000 to 2049, signed with its own key. */
export const selfSignedCertificate = (): Certificate => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" })
  const name = sequence(set(sequence(objectId(commonName), utf8String("Scripted upstream"))))
  const content = sequence(
    explicit(0, integer(2)), // version 3
    integer(1), // serial number
    ecdsaWithSha256,
    name, // issuer
    sequence(utcTime("000101000000Z"), utcTime("491231235959Z")),
    name, // subject
    publicKey.export({ type: "spki", format: "der" }),
    explicit(
      3,
      sequence(
        extension(basicConstraints, sequence(boolean(true))),
        extension(alternativeNames, sequence(dnsName("localhost"), ipAddress(127, 0, 0, 1)))
      )
    )
  )
  const signature = sign("sha256", content, privateKey)
  const certificate = sequence(content, ecdsaWithSha256, bitString(signature))
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }),
    cert: pem(certificate)
  }
}

// The DER encoding that a certificate needs (ITU-T X.690; RFC 5280 defines the structure).

const der = (tag: number, ...contents: ReadonlyArray<Uint8Array>): Uint8Array => {
  const content = Buffer.concat(contents)
  const { length } = content
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Uint8Array.of(tag, ...size), content])
}

const boolean = (value: boolean) => der(0x01, Uint8Array.of(value ? 0xff : 0))
const integer = (value: number) => der(0x02, Uint8Array.of(value))
const bitString = (bytes: Uint8Array) => der(0x03, Uint8Array.of(0), bytes)
const octetString = (bytes: Uint8Array) => der(0x04, bytes)
const objectId = (bytes: ReadonlyArray<number>) => der(0x06, Uint8Array.from(bytes))
const utf8String = (text: string) => der(0x0c, Buffer.from(text))
const utcTime = (time: string) => der(0x17, Buffer.from(time))
const sequence = (...items: ReadonlyArray<Uint8Array>) => der(0x30, ...items)
const set = (...items: ReadonlyArray<Uint8Array>) => der(0x31, ...items)
const explicit = (tag: number, item: Uint8Array) => der(0xa0 + tag, item)
const dnsName = (name: string) => der(0x82, Buffer.from(name))
const ipAddress = (...bytes: ReadonlyArray<number>) => der(0x87, Uint8Array.from(bytes))

const extension = (id: ReadonlyArray<number>, value: Uint8Array) =>
  sequence(objectId(id), octetString(value))

const commonName = [0x55, 0x04, 0x03]
const basicConstraints = [0x55, 0x1d, 0x13]
const alternativeNames = [0x55, 0x1d, 0x11]
const ecdsaWithSha256 = sequence(objectId([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]))

const pem = (bytes: Uint8Array): string => {
  const lines =
    Buffer.from(bytes)
      .toString("base64")
      .match(/.{1,64}/g) ?? []
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n")
}
