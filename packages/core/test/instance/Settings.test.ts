import { assert, describe, it } from "vitest"
import * as Effect from "effect/Effect"
import * as Settings from "../../src/instance/Settings.ts"

const omitUndefined = (values: ReadonlyArray<unknown>) =>
  values.filter((value) => value !== undefined)

describe("Settings", () => {
  it("uses the defaults of omitted settings", () => {
    assert.deepStrictEqual(Settings.make({}), Settings.defaults)
    assert.deepStrictEqual(Settings.make({ maxAttempts: 2 }), {
      ...Settings.defaults,
      maxAttempts: 2
    })
    const rateLimit = { requests: 1, windowMillis: 1 }
    assert.deepStrictEqual(Settings.make({ rateLimit }).rateLimit, rateLimit)
    assert.isUndefined(Settings.make({ rateLimit: undefined }).rateLimit)
  })

  it("names the setting nearest to an unknown one", () => {
    assert.throws(
      () => Settings.make({ maxAttemps: 2 } as Partial<Settings.SettingsShape>),
      RangeError,
      "settings.maxAttemps is no setting; did you mean maxAttempts?"
    )
  })

  const invalidValues: ReadonlyArray<unknown> = [
    0,
    -1,
    1.5,
    Number.NaN,
    Infinity,
    2 ** 53,
    "5",
    true,
    null,
    undefined,
    {}
  ]
  const names = Object.keys(Settings.defaults).filter(
    (name) =>
      ![
        "accountTokenRateLimit",
        "affinityMillis",
        "allowPrivateNetworks",
        "calibrateDecisions",
        "escalationShadowShare",
        "healthGroup",
        "internWorkspaceFromKey",
        "limitResetDay",
        "limitTimeZone",
        "limitWeekStart",
        "maxParallelRequests",
        "maxParallelRequestsPerAccount",
        "rateLimitFailureMode",
        "refuseIgnoredFields",
        "regionalHostnames",
        "sendTraceparent",
        "sessionIdHeaders",
        "staleOnErrorMillis",
        "rateLimit",
        "trustedOrigins",
        "breakerFailureRatio",
        "publicUrl",
        "recordDelayMillis",
        "rollupPairs",
        "tokenRateLimit",
        "traceTags",
        "webhookRetryMillis"
      ].includes(name)
  )
  it.each(names.flatMap((name) => invalidValues.map((value) => [name, value] as const)))(
    "rejects %s = %s",
    (name, value) => {
      // An application in JavaScript can pass any value.
      const make = () => Settings.make({ [name]: value })
      assert.throws(make, RangeError, `settings.${name} must be a whole number `)
      assert.throws(make, RangeError, /( above 0| of at least 4| from 1 to 3600000), got /)
      assert.throws(make, RangeError, `, got ${String(value)}`)
    }
  )

  it.each(invalidValues.filter((value) => value !== 0).map((value) => [value] as const))(
    "rejects affinityMillis = %s",
    (value) => {
      assert.throws(
        () => Settings.make({ affinityMillis: value } as Partial<Settings.SettingsShape>),
        RangeError,
        `settings.affinityMillis must be a whole number of milliseconds of at least 0, got ${String(value)}`
      )
    }
  )

  it.each([...invalidValues.filter((value) => value !== 0), 1_001])(
    "rejects recordDelayMillis = %s",
    (value) => {
      assert.throws(
        () => Settings.make({ recordDelayMillis: value } as Partial<Settings.SettingsShape>),
        RangeError,
        `settings.recordDelayMillis must be a whole number of milliseconds from 0 to 1000, got ${String(value)}`
      )
    }
  )

  it.each([...invalidValues.filter((value) => value !== 0), 3_600_001])(
    "rejects staleOnErrorMillis = %s",
    (value) => {
      assert.throws(
        () => Settings.make({ staleOnErrorMillis: value } as Partial<Settings.SettingsShape>),
        RangeError,
        `settings.staleOnErrorMillis must be a whole number of milliseconds from 0 to 3600000, got ${String(value)}`
      )
    }
  )

  it.each([
    ["rollupPairs", ["user,workspace"], "must be a pair such as workspace,model"],
    ["rollupPairs", "workspace,model", "must be a list"],
    ["traceTags", ["a:b"], "must be the name of a tag"],
    ["traceTags", Array.from("abcdefghi"), "must have at most 8 names"]
  ])("rejects %s = %s", (name, value, problem) => {
    assert.throws(() => Settings.make({ [name]: value }), RangeError, problem)
  })

  const limitSettings = [
    ["limitTimeZone", "must be a time zone such as Europe/Berlin", invalidValues],
    ["limitWeekStart", "must be a day such as monday", invalidValues],
    ["rateLimitFailureMode", "must be local, divide, open or closed", invalidValues],
    ["limitResetDay", "must be a whole number from 1 to 31", [...invalidValues, 32]],
    ["maxParallelRequests", "must be a whole number above 0", omitUndefined(invalidValues)],
    [
      "maxParallelRequestsPerAccount",
      "must be a whole number above 0",
      omitUndefined(invalidValues)
    ]
  ] as const
  it.each(
    limitSettings.flatMap(([name, problem, values]) =>
      values.map((value) => [name, value, problem] as const)
    )
  )("rejects %s = %s", (name, value, problem) => {
    assert.throws(
      () => Settings.make({ [name]: value }),
      RangeError,
      `settings.${name} ${problem}, got ${String(value)}`
    )
  })

  it.each(["tokenRateLimit", "accountTokenRateLimit"] as const)("checks %s", (name) => {
    const limit = { tokens: 1, windowMillis: 1 }
    assert.deepStrictEqual(Settings.make({ [name]: limit })[name], limit)
    assert.isUndefined(Settings.make({ [name]: undefined })[name])
    assert.throws(
      () => Settings.make({ [name]: 5 }),
      RangeError,
      "must be { tokens, windowMillis }"
    )
    assert.throws(
      () => Settings.make({ [name]: { ...limit, tokens: 0 } }),
      RangeError,
      `settings.${name}.tokens must be a whole number of tokens above 0, got 0`
    )
  })

  it("accepts 0 for affinityMillis, which switches affinity off", () => {
    assert.strictEqual(Settings.make({ affinityMillis: 0 }).affinityMillis, 0)
  })

  it.each(invalidValues.filter((value) => value !== 0).map((value) => [value] as const))(
    "rejects escalationShadowShare = %s",
    (value) => {
      assert.throws(
        () => Settings.make({ escalationShadowShare: value } as Partial<Settings.SettingsShape>),
        RangeError,
        `settings.escalationShadowShare must be a number from 0 to 1, got ${String(value)}`
      )
    }
  )

  it.each(invalidValues.filter((value) => value !== true).map((value) => [value] as const))(
    "rejects calibrateDecisions = %s",
    (value) => {
      assert.throws(
        () => Settings.make({ calibrateDecisions: value } as Partial<Settings.SettingsShape>),
        RangeError,
        `settings.calibrateDecisions must be true or false, got ${String(value)}`
      )
    }
  )

  it.each(invalidValues.map((value) => [value] as const))(
    "rejects breakerFailureRatio = %s",
    (value) => {
      assert.throws(
        () => Settings.make({ breakerFailureRatio: value } as Partial<Settings.SettingsShape>),
        RangeError,
        `settings.breakerFailureRatio must be above 0 and at most 1, got ${String(value)}`
      )
    }
  )

  it.each([Number.MIN_VALUE, 0.25, 1])(
    "accepts breakerFailureRatio = %s",
    (breakerFailureRatio) => {
      assert.strictEqual(
        Settings.make({ breakerFailureRatio }).breakerFailureRatio,
        breakerFailureRatio
      )
    }
  )

  it.each(["", "example.com", "ftp://example.com", "https://", "javascript:alert(1)"])(
    "rejects publicUrl = %s",
    (publicUrl) => {
      assert.throws(
        () => Settings.make({ publicUrl }),
        RangeError,
        `settings.publicUrl must be an http or https URL, got ${publicUrl}`
      )
      assert.strictEqual(
        Settings.make({ publicUrl: "https://example.com/ai/" }).publicUrl,
        "https://example.com/ai/"
      )
    }
  )

  it.each(["outageWindowMillis", "breakerWindowMillis"])("limits %s to an hour", (name) => {
    Settings.make({ [name]: 3_600_000 })
    assert.throws(() => Settings.make({ [name]: 3_600_001 }), RangeError, `settings.${name} must`)
  })

  it.each([
    [
      { requests: 0, windowMillis: 1 },
      "rateLimit.requests must be a whole number of requests above 0, got 0"
    ],
    [
      { requests: 1, windowMillis: 0.5 },
      "rateLimit.windowMillis must be a whole number of milliseconds above 0, got 0.5"
    ],
    [
      { requests: 1 },
      "rateLimit.windowMillis must be a whole number of milliseconds above 0, got undefined"
    ],
    [{}, "rateLimit.requests must be a whole number of requests above 0, got undefined"],
    [5, "rateLimit must be { requests, windowMillis }, got 5"]
  ])("rejects the rate limit %j", (rateLimit, message) => {
    assert.throws(
      () => Settings.make({ rateLimit } as Partial<Settings.SettingsShape>),
      RangeError,
      `settings.${message}`
    )
  })

  it("names two settings that contradict each other, with their values", () => {
    const overrides = { jobLeaseMillis: 9_999, jobLeaseRefreshMillis: 5_000 }
    assert.throws(
      () => Settings.make(overrides),
      RangeError,
      "settings.jobLeaseMillis must be at least twice settings.jobLeaseRefreshMillis (5000), got 9999"
    )
    Settings.make({ ...overrides, jobLeaseMillis: 10_000 })
  })

  it.each(Settings.settingRelations)(
    "rejects $name that is not $comparison $other",
    ({ comparison, name, other }) => {
      assert.throws(
        () => Settings.make({ [other]: Number(Settings.defaults[name]) + 1 }),
        RangeError,
        `settings.${name} must be ${comparison} settings.${other} (`
      )
    }
  )

  it("is a reference to the defaults unless a layer provides others", async () => {
    const read = Effect.map(Settings.Settings, ({ maxAttempts }) => maxAttempts)
    assert.strictEqual(await Effect.runPromise(read), Settings.defaults.maxAttempts)
    assert.strictEqual(
      await Effect.runPromise(Effect.provide(read, Settings.layer({ maxAttempts: 9 }))),
      9
    )
  })

  it.each([0, "yes", null, undefined])("rejects internWorkspaceFromKey = %s", (value: unknown) => {
    const name = "internWorkspaceFromKey"
    assert.throws(
      () => Settings.make({ [name]: value } as Partial<Settings.SettingsShape>),
      RangeError,
      `settings.internWorkspaceFromKey must be true or false, got ${String(value)}`
    )
  })

  it.each([undefined, "eu.example.com", { 0: "eu.example.com" }])(
    "rejects regionalHostnames = %s",
    (value: unknown) => {
      assert.throws(
        () => Settings.make({ regionalHostnames: value } as Partial<Settings.SettingsShape>),
        RangeError,
        "settings.regionalHostnames must be a list"
      )
    }
  )

  it.each(["", ".", "eu.example.com:443", "https://eu.example.com", "*.example.com", "eu..com", 1])(
    "rejects the regional hostname %s",
    (name) => {
      assert.throws(
        () => Settings.make({ regionalHostnames: [name] } as Partial<Settings.SettingsShape>),
        RangeError,
        `settings.regionalHostnames.0 must be a host name such as eu.example.com, got ${name}`
      )
    }
  )

  it.each(["eu.example.com", "EU.example.com.", "localhost", "127.0.0.1"])(
    "accepts the regional hostname %s",
    (name) => {
      const regionalHostnames = [name]
      assert.deepStrictEqual(Settings.make({ regionalHostnames }).regionalHostnames, [name])
    }
  )

  it.each(["", "x session", "x-session:", "é"])("rejects the header %j", (name) => {
    assert.throws(
      () => Settings.make({ sessionIdHeaders: [name] }),
      RangeError,
      `settings.sessionIdHeaders.0 must be a header name such as x-acme-session-id, got ${name}`
    )
  })

  it("takes names of headers", () => {
    const sessionIdHeaders = ["X-Acme-Session-Id"]
    assert.deepStrictEqual(Settings.make({ sessionIdHeaders }).sessionIdHeaders, sessionIdHeaders)
  })
})
