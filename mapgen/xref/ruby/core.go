package ruby

import "strings"

// inert tells bases outside whose methods are few and known, so that they hide
// nothing.
func inert(name string) bool {
	switch strings.TrimPrefix(name, "::") {
	case "Object", "BasicObject", "Kernel", "Struct", "Data", "Comparable", "Enumerable", "Forwardable", "SingleForwardable", "Singleton", "ObjectSpace",
		"Exception", "StandardError", "RuntimeError", "ArgumentError", "NotImplementedError", "LoadError", "NameError", "TypeError", "IOError",
		"ScriptError", "KeyError", "IndexError", "Module", "Class", "String", "Array", "Hash", "Set", "Delegator", "SimpleDelegator",
		"ActiveSupport::Concern", "MonitorMixin", "Mutex_m", "FileUtils", "Math", "ERB::Util", "Observable":
		return true
	}
	return false
}

// builtin tells classes of Ruby itself, which a program can open but not
// define.
func builtin(path string) bool {
	switch path {
	case "Object", "BasicObject", "Kernel", "Module", "Class", "Comparable", "Enumerable", "String", "Symbol", "Array", "Hash", "Integer", "Float", "Numeric",
		"Rational", "Complex", "NilClass", "TrueClass", "FalseClass", "Proc", "UnboundMethod", "Range", "Regexp", "MatchData", "Time", "Date", "DateTime",
		"Set", "Struct", "IO", "File", "Dir", "Pathname", "StringIO", "Thread", "Mutex", "Process", "GC", "ObjectSpace", "Math",
		"Exception", "StandardError", "RuntimeError", "ArgumentError", "TypeError", "NameError", "NoMethodError", "KeyError", "IndexError", "IOError", "LoadError",
		"NotImplementedError", "Encoding", "Enumerator", "Marshal", "ENV", "ARGV", "JSON", "YAML", "Gem", "Bundler",
		"Binding", "FileUtils", "Forwardable", "RSpec", "Minitest",
		"Minitest::Test", "Test::Unit", "Test::Unit::TestCase", "Rake":
		return true
	}
	return false
}

// core are the names of methods that Ruby's own classes have and programs use so
// often that they tell nothing.
func core(name string) bool { return coreNames[name] }

var coreNames = words(`
	! != == === =~ !~ <=> < <= > >= + - * / % ** << >> & | ^ ~ +@ -@ [] []= call () new
	object_id class singleton_class frozen? freeze dup clone tap then yield_self itself inspect to_s to_a to_h to_i to_f to_r to_c to_sym to_proc to_str to_ary to_hash
	to_enum enum_for hash eql? equal? is_a? kind_of? instance_of? nil? respond_to? respond_to_missing? method methods public_methods send public_send __send__
	instance_variable_get instance_variable_set instance_variables instance_variable_defined? instance_eval instance_exec class_eval class_exec module_eval
	extend display define_singleton_method singleton_methods method_missing const_get const_set const_defined? constants const_missing
	ancestors superclass instance_methods instance_method public_instance_methods method_defined? remove_method undef_method remove_const include? included_modules name
	length size count empty? any? all? none? one? each each_with_index each_with_object each_entry each_slice each_cons each_char each_line each_byte each_key
	each_value each_pair each_index reverse_each map map! flat_map collect collect! filter filter! filter_map select select! reject reject! find find_all find_index detect
	first last min max minmax min_by max_by sum inject reduce zip take take_while drop drop_while sort sort! sort_by sort_by! group_by partition chunk chunk_while slice_when
	uniq uniq! flatten flatten! compact compact! reverse reverse! rotate shuffle sample push pop shift unshift append prepend insert delete delete_at delete_if
	keep_if clear concat replace fill index rindex join pack product combination permutation transpose assoc dig fetch values_at values keys key key? has_key? value? has_value?
	member? store update merge merge! invert transform_values transform_keys transform_values! transform_keys! compare_by_identity default default= default_proc fetch_values slice
	except tally cycle lazy to_set add add? subset? superset? disjoint? intersect? union difference intersection
	upcase downcase capitalize swapcase upcase! downcase! capitalize! strip lstrip rstrip strip! lstrip! rstrip! chomp chop chomp! chop! chr ord bytes bytesize chars lines codepoints
	gsub gsub! sub sub! tr tr_s delete_prefix delete_suffix start_with? end_with? match match? scan split squeeze center ljust rjust succ next pred hex oct
	encoding force_encoding encode encode! valid_encoding? unicode_normalize unpack unpack1 format intern casecmp casecmp? byteslice partition rpartition each_grapheme_cluster
	slice! setbyte getbyte upto downto times step abs ceil floor round truncate divmod modulo zero? positive? negative? even? odd? integer? finite? infinite? nan? clamp between?
	coerce digits bit_length gcd lcm pow fdiv quo begin end cover? exclude_end? captures named_captures pre_match post_match names offset
	read write puts print printf gets getc readline readlines readpartial eof? close closed? open flush sync sync= rewind seek pos tell tty? isatty fileno binmode each_line
	exist? exists? file? directory? symlink? readable? writable? executable? basename dirname extname expand_path join absolute_path realpath children glob mkpath mkdir unlink rename
	stat mtime ctime atime ftype chmod lstat relative_path_from parent cleanpath root? absolute? relative? sub_ext entries
	message backtrace full_message cause set_backtrace exception backtrace_locations path lineno label
	year month day hour minute min sec usec nsec wday yday zone utc localtime strftime iso8601 to_time to_date to_datetime now today
	arity parameters curry lambda? source_location owner receiver bind unbind bind_call unbind >> << binding local_variable_get
	value join alive? kill wakeup status lock unlock synchronize try_lock signal wait resume exit raise success? exitstatus pid
	allocate instance yield rewind peek with_index with_object force eager resolve
	expect to not_to to_not and_return and_raise and_call_original with receive allow is_expected once twice never at_least at_most exactly
	should should_not stub stubs returns expects raises
	present? blank? presence try try! deep_dup in? html_safe pluck where order limit includes joins save save! create create! update! destroy destroy! errors valid?
	invalid? attributes reload persisted? new_record? id`)

// testWord tells words that frameworks for tests have, which a program that has
// them too does not mean in its tests.
func testWord(name string) bool { return testWords[name] }

var testWords = words(`before after around background setup teardown describe context it its specify example feature scenario subject let let!
	shared_examples shared_context include_examples include_context it_behaves_like expect allow assert refute skip pending should
	get post put patch delete head options request response app visit`)

func words(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}
