/** Labels and reports of calibration by the command line, against a running instance. */
import { expect, test } from "vitest"
import { runCli } from "../../packages/cli/test/runCli.ts"
import { AccountTestServer, accountKeys } from "../support/AccountTestServer.ts"
import { getProperty } from "../support/getProperty.ts"

test("labels are uploaded, and what they show is reported", async () => {
  await using server = await AccountTestServer.start()
  const labels = []
  for (let request = 0; request < 30; request++) {
    const { body } = await server.decide({ calibration: { mode: "auto" } })
    labels.push({ generation_id: getProperty(body, "id"), labels: { urgent: request % 2 === 0 } })
  }
  const run = (args: ReadonlyArray<string>, stdin?: string) =>
    runCli(["calibration", ...args, "--url", server.root], {
      env: { SIGNALBOX_API_KEY: accountKeys.management },
      ...(stdin === undefined ? undefined : { stdin })
    })
  const lines = [...labels, { generation_id: "gen-dec-unknown", labels: { urgent: true } }]
  const uploaded = await run(["label", "-"], lines.map((line) => JSON.stringify(line)).join("\n"))
  expect(uploaded).toEqual({
    code: 1,
    stdout: "Labelled 30 of 31 Decisions.\n",
    stderr: expect.stringContaining("1 of 31 lines failed, first line 31:")
  })
  await server.ask("/signalbox/calibration", "management", "POST")
  const reported = await run(["--kind", "noul"])
  expect([reported.code, reported.stderr]).toEqual([0, ""])
  // The provider says 0.75 every time, and is right half of the time.
  expect(reported.stdout).toMatch(/^proof\/model\S* noul .* 30 +0\.250 /m)
  const json = await run(["--json", "--model", "proof/other"])
  expect(JSON.parse(json.stdout)).toEqual({ maps: [] })
})

test("a key that is refused ends the upload at its first line", async () => {
  await using server = await AccountTestServer.start()
  const line = JSON.stringify({ generation_id: "gen-dec-unknown", labels: { urgent: true } })
  const run = runCli(["calibration", "label", "-", "--url", server.root], {
    env: { SIGNALBOX_API_KEY: "sk-of-nobody" },
    stdin: [line, line].join("\n")
  })
  const { code, stderr, stdout } = await run
  expect([code, stdout]).toEqual([1, ""])
  expect(stderr).not.toContain("of 2 lines")
  expect(stderr).toContain("does not know the API key")
})
