import { sum } from '../sum';
describe('sum', () => {
  const helper = (n) => sum(n, n);
  it.each([1, 2])('adds %d', async (n) => {
    expect(helper(n)).toBe(2 * n);
  });
});
