/** The functions of the host that receive generations and alerts. */
import * as Effect from "effect/Effect"
import type { Alert, AlertReceiver } from "../alerts/Alert.ts"
import { type GenerationEvent, toGenerationEvent } from "./GenerationEvent.ts"
import { openSinkQueue, type SinkMaker } from "./Sink.ts"

/** A function of the host that receives generations; its errors are logged. */
type GenerationReceiver = (generation: GenerationEvent) => void | Promise<void>

/** What receives generations, or also alerts, in the order in which they happen. */
export type Destination = GenerationReceiver | DestinationReceivers

/** The functions of a destination; each is optional, and their errors are logged. */
interface DestinationReceivers {
  readonly onGeneration?: GenerationReceiver
  /** It may be called again with the same `id`. */
  readonly onAlert?: AlertReceiver
}

/** A sink for a destination, the first of which has the number 1. */
export const makeBroadcastSink: (destination: Destination, number: number) => SinkMaker =
  Effect.fnUntraced(function* (destination: Destination, number: number) {
    const { onAlert, onGeneration } = toReceivers(destination)
    const { flush, offer, report } = yield* openSinkQueue<GenerationEvent | QueuedAlert>({
      title: `destination ${number} of the broadcast`,
      deliver: ([item]) =>
        Effect.promise(async () =>
          item instanceof QueuedAlert
            ? onAlert?.(item.alert)
            : item === undefined
              ? undefined
              : onGeneration?.(item)
        )
    })
    return {
      name: `broadcast_${number}`,
      flush,
      report,
      offer: ({ generation }, { broadcast }) => {
        if (broadcast && onGeneration !== undefined) offer(toGenerationEvent(generation))
      },
      ...(onAlert === undefined
        ? undefined
        : { offerAlert: (alert: Alert) => offer(new QueuedAlert(alert)) })
    }
  })

/** An alert in the queue of a destination, among generations. */
class QueuedAlert {
  readonly alert: Alert

  constructor(alert: Alert) {
    this.alert = alert
  }
}

const toReceivers = (destination: Destination): DestinationReceivers =>
  typeof destination === "function" ? { onGeneration: destination } : destination
