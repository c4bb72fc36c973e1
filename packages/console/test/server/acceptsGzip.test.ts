import { expect, test } from "vitest"
import { acceptsGzip } from "../../src/respondFile.ts"

test.each([
  ["gzip, deflate, br, zstd", true],
  ["br;q=1.0, GZIP;q=0.8", true],
  ["gzip; q=0.001", true],
  ["", false],
  ["identity", false],
  ["gzip;q=0, br", false],
  ["gzip ; Q=0.000", false],
  ["x-gzipped", false]
])("accepts gzip: %j is %s", (header, accepts) => expect(acceptsGzip(header)).toBe(accepts))
