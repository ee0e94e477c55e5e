// SPDX-License-Identifier: Apache-2.0
// A part: the line `magic`, a record with version, name, scenario and request, and a record for
// each block. A record is its length and its checksum (8 bytes each), and its bytes.
#include <carom/study/sweep/store.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>
#include <system_error>

#include <carom/core/error.hpp>

namespace carom::study {
namespace {

static_assert(std::endian::native == std::endian::little, "parts are files of this byte order");

constexpr std::string_view magic = "carom sweep part 1\n";

/// FNV-1a: whether a record is whole.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

struct RecordHead {
  std::uint64_t size = 0;
  std::uint64_t sum = 0;
};

std::string record(std::string_view bytes) {
  const RecordHead head{.size = bytes.size(), .sum = checksum(bytes)};
  std::string out(sizeof(head), '\0');
  std::memcpy(out.data(), &head, sizeof(head));
  return out += bytes;
}

/// A file that is open.
class File {
 public:
  File(const std::filesystem::path& name, int flags) : name_(name) {
    constexpr int rights = 0666;
    fd_ = ::open(name.c_str(), flags | O_CLOEXEC, rights);
    if (fd_ < 0) fail("open");
  }
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[noreturn]] void fail(const char* what) const {
    throw std::runtime_error("cannot " + std::string(what) + " " + name_.string() + ": " +
                             std::strerror(errno));
  }
  /// @return fewer bytes at the end of the file
  [[nodiscard]] std::string read(std::uint64_t at, std::size_t size) const {
    std::string bytes(size, '\0');
    std::size_t done = 0;
    while (done < size) {
      const auto got =
          ::pread(fd_, bytes.data() + done, size - done, static_cast<off_t>(at + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail("read");
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    bytes.resize(done);
    return bytes;
  }
  void write(std::string_view bytes, std::uint64_t at) const {
    while (!bytes.empty()) {
      const auto put = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(at));
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) fail("write");
      bytes.remove_prefix(static_cast<std::size_t>(put));
      at += static_cast<std::uint64_t>(put);
    }
  }
  void cut(std::uint64_t size) const {
    if (::ftruncate(fd_, static_cast<off_t>(size)) != 0) fail("write");
  }
  [[nodiscard]] std::uint64_t size() const {
    const off_t end = ::lseek(fd_, 0, SEEK_END);
    if (end < 0) fail("read");
    return static_cast<std::uint64_t>(end);
  }
  /// @return false where another process writes to it
  [[nodiscard]] bool lock() const {
    return ::flock(fd_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  }
  [[nodiscard]] const std::filesystem::path& name() const { return name_; }

 private:
  std::filesystem::path name_;
  int fd_ = -1;
};

/// The record at a place, or nothing where it is not whole.
std::optional<std::string> read_record(const File& file, std::uint64_t at, std::uint64_t end) {
  const std::string first = file.read(at, sizeof(RecordHead));
  if (first.size() < sizeof(RecordHead)) return std::nullopt;
  RecordHead head;
  std::memcpy(&head, first.data(), sizeof(head));
  if (head.size > end - at - sizeof(head)) return std::nullopt;
  std::string bytes = file.read(at + sizeof(head), head.size);
  if (bytes.size() != head.size || checksum(bytes) != head.sum) return std::nullopt;
  return bytes;
}

std::string header_bytes(const SweepPlan& plan) {
  std::string out;
  for (const std::string& text : {plan.version, plan.name, plan.text, plan.asked}) {
    out += std::to_string(text.size()) + "\n" + text;
  }
  return out;
}

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
  throw InputError("", why, file.string());
}

PartHeader parse_header(const std::string& bytes, const std::filesystem::path& file) {
  PartHeader header;
  std::size_t at = 0;
  for (std::string* text : {&header.version, &header.name, &header.text, &header.asked}) {
    const std::size_t end = bytes.find('\n', at);
    std::size_t size = 0;
    if (end != std::string::npos) {
      for (std::size_t i = at; i < end; ++i) {
        size = 10 * size + static_cast<std::size_t>(bytes[i] - '0');
      }
    }
    if (end == std::string::npos || end + 1 + size > bytes.size()) {
      refuse(file, "is no part of a sweep");
    }
    *text = bytes.substr(end + 1, size);
    at = end + 1 + size;
  }
  return header;
}

/// A part that is open, with the places of its blocks.
class Part {
 public:
  Part(const std::filesystem::path& name, int flags) : file_(name, flags) {}

  [[nodiscard]] const File& file() const { return file_; }
  [[nodiscard]] PartHeader header() const {
    if (file_.read(0, magic.size()) != magic) refuse(file_.name(), "is no part of a sweep");
    const auto bytes = read_record(file_, magic.size(), file_.size());
    if (!bytes) refuse(file_.name(), "is no part of a sweep: its header is damaged");
    return parse_header(*bytes, file_.name());
  }
  void begin(const SweepPlan& plan) {
    file_.cut(0);
    end_ = 0;
    append(std::string(magic) + record(header_bytes(plan)));
  }
  /// Was it left before its header was whole?
  [[nodiscard]] bool hardly_begun(const SweepPlan& plan) const {
    const std::string whole = std::string(magic) + record(header_bytes(plan));
    const std::uint64_t size = file_.size();
    return size < whole.size() && file_.read(0, size) == whole.substr(0, size);
  }
  /// Finds the blocks. What follows the last whole record is not counted.
  void find(const SweepPlan& plan) {
    const PartHeader h = header();
    if (h.version != plan.version) {
      refuse(file_.name(), "was begun by Carom " + h.version + ", this is " + plan.version);
    }
    if (h.text != plan.text) {
      refuse(file_.name(), "belongs to another scenario than " + plan.name);
    }
    if (h.asked != plan.asked) {
      refuse(file_.name(), "belongs to a sweep with other options or another [sweep]");
    }
    end_ = magic.size();
    const std::uint64_t size = file_.size();
    bool first = true;
    while (const auto bytes = read_record(file_, end_, size)) {
      if (!first) {
        const BlockResult block = BlockResult::from(plan, *bytes);
        places_.emplace(block.block, end_);
      }
      first = false;
      end_ += sizeof(RecordHead) + bytes->size();
    }
  }
  void cut() { file_.cut(end_); }
  void put(const BlockResult& result) {
    const std::uint64_t at = end_;
    append(record(result.bytes()));
    places_.emplace(result.block, at);
  }
  [[nodiscard]] bool has(std::size_t block) const { return places_.contains(block); }
  [[nodiscard]] BlockResult get(const SweepPlan& plan, std::size_t block) const {
    const auto bytes = read_record(file_, places_.at(block), end_);
    if (!bytes) throw std::runtime_error(file_.name().string() + " has changed meanwhile");
    return BlockResult::from(plan, *bytes);
  }

 private:
  void append(const std::string& bytes) {
    file_.write(bytes, end_);
    end_ += bytes.size();
  }
  File file_;
  std::uint64_t end_ = 0;
  std::map<std::size_t, std::uint64_t> places_;
};

class Memory : public BlockStore {
 public:
  explicit Memory(const SweepPlan& plan) : plan_(plan) {}
  void put(const BlockResult& result) override { blocks_[result.block] = result.bytes(); }
  [[nodiscard]] bool has(std::size_t block) const override { return blocks_.contains(block); }
  [[nodiscard]] BlockResult get(std::size_t block) const override {
    return BlockResult::from(plan_, blocks_.at(block));
  }

 private:
  const SweepPlan& plan_;
  std::map<std::size_t, std::string> blocks_;
};

class OneFile : public BlockStore {
 public:
  OneFile(const SweepPlan& plan, const std::filesystem::path& file, Existing existing)
      : plan_(plan), part_(open(file, existing)) {
    if (!part_->file().lock()) refuse(file, "another process is writing to it");
    if (existing == Existing::replace || part_->hardly_begun(plan)) {
      part_->begin(plan);
      return;
    }
    part_->find(plan);
    part_->cut();
  }
  void put(const BlockResult& result) override { part_->put(result); }
  [[nodiscard]] bool has(std::size_t block) const override { return part_->has(block); }
  [[nodiscard]] BlockResult get(std::size_t block) const override {
    return part_->get(plan_, block);
  }

 private:
  static std::unique_ptr<Part> open(const std::filesystem::path& file, Existing existing) {
    if (existing == Existing::refuse && std::filesystem::exists(file)) {
      throw InputError("--out",
                       "'" + file.string() +
                           "' holds a sweep that was begun; --resume goes on with it, --force "
                           "begins anew");
    }
    return std::make_unique<Part>(file, O_RDWR | O_CREAT);
  }
  const SweepPlan& plan_;
  std::unique_ptr<Part> part_;
};

class Parts : public BlockStore {
 public:
  Parts(const SweepPlan& plan, const std::vector<std::filesystem::path>& files) : plan_(plan) {
    for (const auto& file : files) {
      parts_.push_back(std::make_unique<Part>(file, O_RDONLY));
      parts_.back()->find(plan);
    }
  }
  void put(const BlockResult&) override {
    throw std::logic_error("parts that are merged are not written to");
  }
  [[nodiscard]] bool has(std::size_t block) const override { return part_of(block) != nullptr; }
  [[nodiscard]] BlockResult get(std::size_t block) const override {
    return part_of(block)->get(plan_, block);
  }

 private:
  [[nodiscard]] const Part* part_of(std::size_t block) const {
    for (const auto& part : parts_) {
      if (part->has(block)) return part.get();
    }
    return nullptr;
  }
  const SweepPlan& plan_;
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace

std::unique_ptr<BlockStore> in_memory(const SweepPlan& plan) {
  return std::make_unique<Memory>(plan);
}

std::unique_ptr<BlockStore> in_file(const SweepPlan& plan, const std::filesystem::path& file,
                                    Existing existing) {
  return std::make_unique<OneFile>(plan, file, existing);
}

std::unique_ptr<BlockStore> in_parts(const SweepPlan& plan,
                                     const std::vector<std::filesystem::path>& files) {
  return std::make_unique<Parts>(plan, files);
}

PartHeader read_header(const std::filesystem::path& file) {
  if (!std::filesystem::is_regular_file(file)) refuse(file, "no such file");
  return Part(file, O_RDONLY).header();
}

}  // namespace carom::study
