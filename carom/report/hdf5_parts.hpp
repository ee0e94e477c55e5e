// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// What writers of HDF5 share. For their sources alone, so that HDF5 is seen nowhere else. All
/// throw std::runtime_error where HDF5 fails.
namespace carom::report::hdf5 {

/// Something of HDF5's that must be given back.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle(hid_t id, Close how, const char* what) : id_(id), close_(how) {
    if (id < 0) throw std::runtime_error(std::string("HDF5 fails to make ") + what);
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle& operator=(Handle&&) = delete;

  operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor)

  /// Where it matters whether closing works: what was kept back is written then.
  void close(const char* what) {
    if (close_(std::exchange(id_, -1)) < 0) {
      throw std::runtime_error(std::string("HDF5 fails to finish ") + what);
    }
  }

 private:
  hid_t id_;
  Close close_;
};

/// HDF5 would print to standard error what we throw.
class Silence {
 public:
  Silence() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Silence() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

inline void check(herr_t status, const char* what) {
  if (status < 0) throw std::runtime_error(std::string("HDF5 fails to write ") + what);
}

inline Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "a type");
  check(H5Tset_size(type, H5T_VARIABLE), "a type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "a type");
  return type;
}

inline void write_attribute(hid_t of, const char* name, hid_t type, hid_t space,
                            const void* value) {
  const Handle attribute(H5Acreate2(of, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         name);
  check(H5Awrite(attribute, type, value), name);
}

inline void attribute(hid_t of, const char* name, const std::string& text) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "a space");
  const char* value = text.c_str();
  write_attribute(of, name, text_type(), space, &value);
}

inline void attribute(hid_t of, const char* name, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  const hsize_t size = texts.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, "a space");
  std::vector<const char*> values;
  for (const std::string& text : texts) values.push_back(text.c_str());
  write_attribute(of, name, text_type(), space, values.data());
}

inline void attribute(hid_t of, const char* name, const std::vector<double>& numbers) {
  if (numbers.empty()) return;
  const hsize_t size = numbers.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, "a space");
  write_attribute(of, name, H5T_NATIVE_DOUBLE, space, numbers.data());
}

inline void attribute(hid_t of, const char* name, std::uint8_t number) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "a space");
  write_attribute(of, name, H5T_NATIVE_UINT8, space, &number);
}

/// How files are opened: without locks, since the name is ours alone and some file systems have
/// none.
inline Handle unlocked() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "a property list");
  check(H5Pset_file_locking(access, 0, 1), "a property list");
  return access;
}

}  // namespace carom::report::hdf5
