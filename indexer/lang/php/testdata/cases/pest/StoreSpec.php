<?php
// Expected: a test, though no class says so.
it('saves', function () {
    expect(store()->save())->toBeTrue();
});
