// Expected: the view with its body; calls in a result builder with what they are
// chained to.
import SwiftUI

struct ContentView: View {
    @State private var name = ""
    @Environment(\.dismiss) var dismiss
    let onTap: (String) -> Void

    var body: some View {
        VStack(alignment: .leading) {
            ForEach(model.items, id: \.self) { item in
                Row(item: item)
                    .padding(.horizontal, 4)
            }
            if name.isEmpty {
                Text("none")
            } else if let first = model.first {
                Text(first.title)
            }
            switch model.state {
            case .loaded(let values) where !values.isEmpty:
                List(values) { Row(item: $0) }
            default:
                EmptyView()
            }
        }
        .onChange(of: name) { old, new in onTap(new) }
        .sheet(isPresented: $shown) { Detail() } content: { Other() }
    }

    @ViewBuilder private func header(_ title: String) -> some View { Text(title) }
}

#Preview {
    ContentView(onTap: { _ in })
}
