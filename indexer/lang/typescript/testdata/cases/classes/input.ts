import { Store, type Options } from './store'

/** A queue of jobs. */
@Injectable({ providedIn: 'root' })
export abstract class Queue<T extends Job = Job> extends Base<T> implements Sized, Iterable<T> {
  static readonly LIMIT = 10
  static { register(Queue) }
  #items: T[] = []
  protected _open = true
  private readonly seen?: Set<string>
  declare tag: string
  // A field that holds a function is a method.
  onEmpty = (reason: string): void => { this.close(reason) }
  @Input() label: string

  /** Parameter properties are fields. */
  constructor(private readonly store: Store, public size = 0, options?: Options) {
    super(options)
    this.store.open(size)
  }

  get length(): number { return this.#items.length }
  set length(n: number) { this.#items.length = n }

  @HostListener('put')
  public async put(item: T): Promise<void> {
    const saved = await this.store.save<T>(item)
    saved.notify()
    super.put(item)
  }
  put2(item: string): void
  put2(item: any) {}
  abstract drain(): Promise<T[]>
  private secret() {}
  *[Symbol.iterator]() { yield* this.#items }
  'quoted name'() {}
  static create<U>(this: void): Queue<any> { return new JobQueue() }
}

class JobQueue extends Queue {
  drain() { return Promise.resolve([]) }
}

// A class expression is a class under the name of the variable.
export const Mixed = class extends mixin(Queue, Sized) {
  extra() {}
}
function build() {
  class Local { m() {} }
  return new Local().m()
}
