/**
 * What a plan costs: `plan()` over 5, 50 and 500 candidates, with no, some and all preferences, and the
 * ratio to a hand-written sort of the same candidates by price in the same run.
 *
 * Usage: node bench/plan.ts [milliseconds per case]
 */
import { type EndpointReport, plan, priceWeighted, type Preferences } from "@signalbox/core/routing"
