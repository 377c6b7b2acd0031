<?php
// Expected: calls with the shape of what they are called on and the enclosing
// method; variables keep their dollar sign in shapes and bindings.
namespace App;

class Store extends Base
{
    private Client $client;

    public function save(Record $record, int $n = 3): Result
    {
        $user = new User($record->id);
        $user->touch()->again();
        $this->client->send($user, retries: LIMIT);
        self::check($n);
        static::$instances[] = $this;
        Registry::instance()->add(Registry::KEY, Other::class);
        \Vendor\helper($record);
        parent::save($record);
        foreach ($record->items as $key => $item) {
            $item?->store();
        }
        [$first, $second] = $this->pair();
        try {
            risky();
        } catch (NotFound | \Vendor\Broken $e) {
            $e->getMessage();
        }
        /** @var Mailer $mailer */
        $mailer = container('mailer');
        $mailer->deliver(fn(Mail $m) => $m->body, $dynamic(), $user->$field);
        if ($record instanceof Draft) {
            return new static("{$user->name} and $user->age");
        }
        return clone $record;
    }
}
