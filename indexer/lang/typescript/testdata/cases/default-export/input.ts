// An anonymous class that is exported by default is called "default".
export default class extends Base<string> implements Face {
  run(): void {}
}
