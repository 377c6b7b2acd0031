// Scopes of names are references, and calls tell their arguments.
void Outer::Inner<int>::run(const Item &item) {
    Outer::Inner<Item>::make(item, 1, "text");
    util::Color::Red;
    auto p = new Item(item.name());
    if (Item *found = find(item)) found->go();
    for (auto &[key, value] : table) value.go();
    std::sort(item);
}

class BROKEN(x) Third : public util::Base {
    int a
};

TEST(Suite, Case) {}
