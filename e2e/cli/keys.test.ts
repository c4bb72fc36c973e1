/** API keys by the command line, against a running instance. */
import { describe, expect, test } from "vitest"
import { runCli } from "../../packages/cli/test/runCli.ts"
import { AccountTestServer, accountKeys } from "../support/AccountTestServer.ts"
import { getProperty } from "../support/getProperty.ts"

const runKeys = (
  server: AccountTestServer,
  args: ReadonlyArray<string>,
  key: string = accountKeys.management
) => runCli(["keys", ...args, "--url", server.root], { env: { SIGNALBOX_API_KEY: key } })

const askWith = async (server: AccountTestServer, secret: string): Promise<number> => {
  const { status } = await fetch(`${server.root}/api/v1/key`, {
    headers: { authorization: `Bearer ${secret}` }
  })
  return status
}

describe("signalbox keys", () => {
  test("creates a key that works, lists it without its secret, and disables it", async () => {
    await using server = await AccountTestServer.start()
    const created = await runKeys(server, [
      "create",
      "ci",
      "--limit",
      "5",
      "--limit-reset",
      "daily",
      "--expires",
      "2999-01-31T00:00:00Z",
      "--user",
      "mem-9"
    ])
    expect([created.code, created.stderr]).toEqual([
      0,
      expect.stringMatching(/^Created the key ci \([0-9a-f]{64}\)\. Keep it now: it is not shown/)
    ])
    const secret = created.stdout.trimEnd()
    expect(await askWith(server, secret)).toBe(200)

    const listed = await runKeys(server, ["list"])
    expect([listed.code, listed.stderr]).toEqual([0, ""])
    expect(listed.stdout).toMatch(
      /^ci +[0-9a-f]{12} .* active +0 +5 +5 +daily +2999-01-31T00:00:00\.000Z$/m
    )
    const json = await runKeys(server, ["list", "--json"])
    expect(JSON.parse(json.stdout).keys).toContainEqual(
      expect.objectContaining({ name: "ci", limit: 5, creator_user_id: "mem-9", disabled: false })
    )
    for (const { stdout } of [listed, json]) {
      for (const each of [secret, ...Object.values(accountKeys)]) expect(stdout).not.toContain(each)
    }

    const hash = /\(([0-9a-f]{64})\)/.exec(created.stderr)?.[1] ?? ""
    const disabled = await runKeys(server, ["disable", hash.slice(0, 16)])
    expect(disabled).toEqual({
      code: 0,
      stderr: "",
      stdout: `Disabled the key ci (${hash}). Requests with it fail from now on.\n`
    })
    expect(await askWith(server, secret)).toBe(401)
    expect((await runKeys(server, ["disable", "ci"])).stdout).toContain("was disabled already")
    expect((await runKeys(server, ["list"])).stdout).toMatch(/^ci .* disabled /m)
    expect((await runKeys(server, ["list", "--active"])).stdout).not.toMatch(/^ci /m)
  })

  test("prints the key of --json once, and lists more keys than a page has", async () => {
    await using server = await AccountTestServer.start()
    for (let number = 0; number < 120; number++) {
      await server.ask("/keys", "management", "POST", { name: `batch ${number}` })
    }
    const created = await runKeys(server, ["create", "last", "--json"])
    const body: unknown = JSON.parse(created.stdout)
    expect(await askWith(server, String(getProperty(body, "key")))).toBe(200)
    const { stdout } = await runKeys(server, ["list", "--json"])
    const { keys }: { readonly keys: ReadonlyArray<Readonly<Record<"hash" | "name", string>>> } =
      JSON.parse(stdout)
    expect(keys.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["batch 0", "batch 119", "last"])
    )
    expect(new Set(keys.map(({ hash }) => hash)).size).toBe(keys.length)
  })

  test("says what to do about what is wrong", async () => {
    await using server = await AccountTestServer.start()
    for (const name of ["twin", "twin"]) await server.ask("/keys", "management", "POST", { name })
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, string, string?]> = [
      [["disable", "nobody"], 'No key has the name or hash "nobody": signalbox keys list shows'],
      [["disable", "twin"], '"twin" may mean 2 keys, so name one by its hash:'],
      [["create", "x", "--limit-reset", "daily"], "--limit-reset needs the --limit"],
      [["create", "x", "--limit", "-1"], "limit"],
      [["create", "x", "--workspace", "nowhere"], "there is no such workspace"],
      [["create", "x", "--expires", "soon"], "soon"],
      [["list"], "use a management key", accountKeys.member],
      [["list"], "does not know the API key", "sk-of-nobody"],
      [["create", "x"], "apiKey must be visible ASCII", "sk with a space"]
    ]
    for (const [args, problem, key] of cases) {
      const { code, stderr, stdout } = await runKeys(server, args, key)
      expect([args, code, stderr]).toEqual([args, 1, expect.stringContaining(problem)])
      expect(stdout + stderr).not.toContain(key ?? accountKeys.management)
    }
  })
})
