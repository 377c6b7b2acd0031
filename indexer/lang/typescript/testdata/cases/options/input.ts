import { defineComponent } from 'vue'
// Functions of an options object are members of what it defines.
export default defineComponent({
  name: 'Widget',
  props: { size: Number },
  setup(props) { return { open: () => props.size } },
  methods: {
    /** Opens it. */
    show() { this.hide() },
    hide: async () => {},
  },
  nested: { deep: { deeper() {} } },
})
export const api = {
  list(): string[] { return [] },
  get size() { return 1 },
  users: { find: (id: string) => query(id), count: 1 },
  data: { plain: 1 },
}
const store = createStore('id', { actions: { add(item: Item) {} } })
