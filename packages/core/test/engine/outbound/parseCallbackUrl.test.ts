import { assert, describe, it } from "@effect/vitest"
import * as NetAddress from "effect/net/NetAddress"
import * as Result from "effect/Result"
import { defaults } from "../../../src/instance/Settings.ts"
import { parseCallbackUrl } from "../../../src/engine/outbound/parseCallbackUrl.ts"
import { isPublicAddress } from "../../../src/engine/outbound/publicAddress.ts"

describe("parseCallbackUrl", () => {
  it.each([
    ["https://hooks.example.com/a?b=c", "https://hooks.example.com/a?b=c"],
    ["https://HOOKS.example.com:443", "https://hooks.example.com/"],
    ["https://hooks.example.com./", "https://hooks.example.com./"],
    ["https://local.example.com/", "https://local.example.com/"],
    ["https://hooks.example.com\\@127.0.0.1/", "https://hooks.example.com/@127.0.0.1/"],
    ["https://bücher.example/", "https://xn--bcher-kva.example/"]
  ])("accepts %s", (text, url) => {
    assert.deepStrictEqual(parseCallbackUrl(text, defaults), Result.succeed(url))
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
    "https://[64:ff9b::7f00:1]/",
    "https://[64:ff9b:1::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "https://[2001:0:53aa:64c:0:0:80ff:fffe]/",
    "https://[::127.0.0.1]/",
    "https://[0:0:0:0:0:0:0:1]/",
    "https://[::ffff:0:127.0.0.1]/",
    "https://[ff02::1]/",
    "https://[fec0::1]/",
    "https://[100::1]/",
    "https://[2001:db8::1]/",
    "https://[fe80::1%25eth0]/",
    "https://127.0.0.1:443/",
    "https://0x7f000001/",
    "https://0x7F.0X0.0.0x1/",
    "https://017700000001/",
    "https://127.0.1/",
    "https://127.0x1/",
    "https://0/",
    "https://00/",
    "https://0xa9fea9fe/",
    "https://2852039166/",
    "https://0251.0376.0251.0376/",
    "https://169.254.43518/",
    "https://①⑥⑨。②⑤④。①⑥⑨。②⑤④/",
    "https://１６９．２５４．１６９．２５４/",
    "https://%31%32%37.0.0.1/",
    "https://%6c%6f%63%61%6c%68%6f%73%74/",
    "https://ⓛocalhost/",
    "https://LocalHost:443/",
    "https://localhost.localdomain/",
    "https://168.63.129.16/",
    "https://192.0.0.192/",
    "https://198.18.0.1/",
    "https://203.0.113.7/",
    "https://224.0.0.251/",
    "https://255.255.255.255/",
    "https://240.0.0.1/",
    "https://172.16.0.1/",
    "https://192.88.99.1/",
    "https://a.b.internal./",
    "https://kubernetes.default.svc.cluster.local/",
    "https://metadata/",
    "https://metadata.google.internal./",
    "https://hooks.example.com:22/",
    "https://hooks.example.com:80/",
    "https://hooks.example.com:0/",
    "https://hooks.example.com:99999/",
    "https://hooks.example.com@127.0.0.1/",
    "https://hooks.example.com:pass@10.0.0.1/",
    "https://127.0.0.1#@hooks.example.com/",
    "https://127.0.0.1?@hooks.example.com/",
    "https:/\\127.0.0.1/",
    "https:127.0.0.1",
    "https:///127.0.0.1/",
    "\thttps://127.0.0.1/",
    "ht\ntps://127.0.0.1/",
    "HTTP://hooks.example.com/",
    "//hooks.example.com/",
    "file:///etc/passwd",
    "gopher://hooks.example.com:6379/_FLUSHALL",
    "data:text/plain,hello",
    "blob:https://hooks.example.com/1",
    "ws://hooks.example.com/",
    "wss://hooks.example.com/",
    "unix:///var/run/docker.sock",
    "https://",
    "https://./",
    "https://../",
    "https://hooks example.com/",
    "https://[::1/",
    "https://[::g]/"
  ])("rejects %s", (text) => {
    assert.isTrue(Result.isFailure(parseCallbackUrl(text, defaults)))
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

describe("parseCallbackUrl with private networks allowed", () => {
  it.each(["http://127.0.0.1:8080/", "https://localhost/", "https://10.0.0.1:8443/in"])(
    "accepts %s",
    (text) => {
      assert.deepStrictEqual(
        parseCallbackUrl(text, { allowPrivateNetworks: true }),
        Result.succeed(text)
      )
    }
  )

  it.each(["", "file:///etc/passwd", "ftp://127.0.0.1/", "http://user@127.0.0.1/"])(
    "rejects %s",
    (text) => {
      assert.isTrue(Result.isFailure(parseCallbackUrl(text, { allowPrivateNetworks: true })))
    }
  )
})
