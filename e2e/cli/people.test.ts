/** Persons and spending by the command line, against a running instance. */
import { describe, expect, test } from "vitest"
import { runCli } from "../../packages/cli/test/runCli.ts"
import { AccountTestServer, accountKeys } from "../support/AccountTestServer.ts"

const run = (server: AccountTestServer, args: ReadonlyArray<string>) =>
  runCli([...args, "--url", server.root], { env: { SIGNALBOX_API_KEY: accountKeys.management } })

describe("persons by the command line", () => {
  test("are exported as one JSON document, page by page, and erased", async () => {
    await using server = await AccountTestServer.start()
    for (const state of ["one", "two"]) await server.decide({ state, user: "=cmd()" })

    const exported = await run(server, ["export-person", "--user", "mem-1"])
    expect([exported.code, exported.stderr]).toEqual([0, ""])
    const document = JSON.parse(exported.stdout)
    expect(document).toMatchObject({
      user: "mem-1",
      external_user: null,
      keys: [{ name: "member" }],
      records: [
        { user: "mem-1", external_user: "=cmd()" },
        { user: "mem-1", external_user: "=cmd()" }
      ]
    })
    expect(exported.stdout).not.toContain(accountKeys.member)

    const careless = await run(server, ["erase-person", "--user", "mem-1"])
    expect(careless.code).not.toBe(0)
    expect(careless.stderr).toContain("--yes")
    expect((await server.decide()).status).toBe(200)

    const erased = await run(server, ["erase-person", "--user", "mem-1", "--yes", "--json"])
    expect(JSON.parse(erased.stdout)).toMatchObject({ keys_revoked: 1 })
    expect((await server.decide()).status).toBe(401)
    const again = await run(server, ["erase-person", "--user", "mem-1", "--yes"])
    expect(again.stdout).toBe("Nothing names this person.\n")
    const nobody = await run(server, ["export-person", "--user", "mem-1"])
    expect(JSON.parse(nobody.stdout)).toMatchObject({ keys: [], records: [], changes: [] })
  })

  test.each([[[]], [["--user", "a", "--external-user", "b"]]])(
    "are named by one flag: %s",
    async (flags) => {
      await using server = await AccountTestServer.start()
      const { code, stderr } = await run(server, ["export-person", ...flags])
      expect(code).not.toBe(0)
      expect(stderr).toContain("--user or by --external-user")
    }
  )

  test("spending is CSV that no spreadsheet takes for formulas", async () => {
    await using server = await AccountTestServer.start()
    await server.decide({ user: '=HYPERLINK("https://evil.example","x")' })
    const { code, stdout } = await run(server, ["spend", "--by", "external_user"])
    expect(code).toBe(0)
    const [head, row, ...rest] = stdout.trimEnd().split(/\r?\n/)
    expect(rest).toEqual([])
    expect(head).toBe(
      "from,external_user,is_other,requests,errors,tokens_prompt,tokens_completion,tokens_cached,cost_usd,upstream_inference_cost_usd,response_cache_hits,response_cache_misses,response_cache_saved_usd"
    )
    expect(row).toMatch(
      /^\d{4}-\d\d-\d\dT00:00:00\.000Z,"'=HYPERLINK\(""https:\/\/evil\.example"",""x""\)",false,1,0,10,2,0,0\.000026,0,0,0,0$/
    )
    const pairs = await run(server, ["spend", "--by", "user,model"])
    expect(pairs.stdout).toContain(",user,model,is_other,")
    expect(pairs.stdout).toContain(",mem-1,proof/model,false,1,")
    const refused = await run(server, ["spend", "--by", "colour"])
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain("group_by: must be one of total")
  })
})

test("spending over HTTP is a file", async () => {
  await using server = await AccountTestServer.start()
  const response = await fetch(`${server.root}/api/v1/signalbox/spend.csv`, {
    headers: { authorization: `Bearer ${accountKeys.management}` }
  })
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present")
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="spend.csv"')
  expect(await response.text()).toBe(
    "from,requests,errors,tokens_prompt,tokens_completion,tokens_cached,cost_usd,upstream_inference_cost_usd,response_cache_hits,response_cache_misses,response_cache_saved_usd\r\n"
  )
  expect((await server.ask("/signalbox/spend.csv", "member")).status).toBe(403)
  expect(
    (await server.ask("/signalbox/people/erase", "member", "POST", { user: "a" })).status
  ).toBe(403)
  expect((await server.ask("/signalbox/people/erase", "management", "POST", {})).status).toBe(400)
})
