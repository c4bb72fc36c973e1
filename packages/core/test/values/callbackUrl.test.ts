import { assert, describe, it } from "@effect/vitest"
import * as NetAddress from "effect/net/NetAddress"
import * as Result from "effect/Result"
import { callbackUrl } from "../../src/values/callbackUrl.ts"
import { isPublicAddress } from "../../src/values/isPublicAddress.ts"

describe("callbackUrl", () => {
  it.each([
    ["https://hooks.example.com/a?b=c", "https://hooks.example.com/a?b=c"],
    ["https://HOOKS.example.com:443", "https://hooks.example.com/"],
    ["https://hooks.example.com./", "https://hooks.example.com./"],
    ["https://local.example.com/", "https://local.example.com/"],
    ["https://bücher.example/", "https://xn--bcher-kva.example/"]
  ])("takes %s", (text, url) => {
    assert.deepStrictEqual(callbackUrl(text), Result.succeed(url))
  })

  it.each([
    "",
    "hooks.example.com",
    "/path",
    "http://hooks.example.com/",
    "ftp://hooks.example.com/",
    "javascript:alert(1)",
    "https://user@hooks.example.com/",
    "https://:secret@hooks.example.com/",
    "https://hooks.example.com:8443/",
    `https://hooks.example.com/${"a".repeat(2048)}`,
    "https://localhost/",
    "https://LOCALHOST./",
    "https://a.localhost/",
    "https://printer.local/",
    "https://intranet/",
    "https://metadata.google.internal/computeMetadata/v1/",
    "https://router.home.arpa/",
    "https://8.8.8.8/",
    "https://[2606:4700::1111]/",
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f.0.0.1/",
    "https://0177.0.0.1/",
    "https://１２７.0.0.1/",
    "https://127.0.0.1./",
    "https://10.0.0.1/",
    "https://172.31.255.255/",
    "https://192.168.0.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://100.100.100.200/",
    "https://0.0.0.0/",
    "https://[::1]/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:a9fe:a9fe]/",
    "https://[fd00:ec2::254]/",
    "https://[fe80::1]/",
    "https://[64:ff9b::7f00:1]/"
  ])("refuses %s", (text) => {
    assert.isTrue(Result.isFailure(callbackUrl(text)))
  })
})

describe("isPublicAddress", () => {
  it.each([
    ["8.8.8.8", true],
    ["172.15.255.255", true],
    ["172.16.0.0", false],
    ["172.31.255.255", false],
    ["172.32.0.0", true],
    ["169.254.169.254", false],
    ["100.64.0.1", false],
    ["127.255.255.255", false],
    ["224.0.0.1", false],
    ["255.255.255.255", false],
    ["0.0.0.0", false],
    ["2606:4700::1111", true],
    ["::1", false],
    ["::", false],
    ["::ffff:8.8.8.8", false],
    ["64:ff9b::808:808", false],
    ["2002:7f00:1::", false],
    ["2001:0:1::", false],
    ["2001:4860:4860::8888", true],
    ["fd00:ec2::254", false],
    ["fe80::1", false],
    ["ff02::1", false]
  ])("of %s is %s", (text, expected) => {
    assert.strictEqual(isPublicAddress(NetAddress.ipFromStringUnsafe(text)), expected)
  })
})
