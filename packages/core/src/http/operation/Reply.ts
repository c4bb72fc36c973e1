/** A success whose status is not the first one that its operation declares. */
export class Reply<out Body> {
  readonly status: number
  readonly body: Body

  constructor(status: number, body: Body) {
    this.status = status
    this.body = body
  }
}

export const reply = <Body>(status: number, body: Body): Reply<Body> => new Reply(status, body)
