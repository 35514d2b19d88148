using System.IO.Compression;
using System.Text;
using Ripple.Load.Push.Histories;

namespace Ripple.Load.Tests.Push;

public sealed class DocumentHistoryTests : IDisposable
{
    private readonly string _file = Path.GetTempFileName();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Versions_are_the_bytes_of_each_line_in_order(bool isZipped)
    {
        Write("""{"n":1,"content":"\ufeffa: 1\r\n"}""" + "\n" + """{"n":2,"content":"a: \u00e9"}""" + "\n", isZipped);

        DocumentHistory history = DocumentHistory.TryRead(_file, 10, out string error)!;

        Assert.Empty(error);
        Assert.Equal(["\ufeffa: 1\r\n", "a: é"], history.Versions.Select(v => Encoding.UTF8.GetString(v)));
        Assert.Equal([0xEF, 0xBB, 0xBF], history.Versions[0][..3]);
    }

    [Fact]
    public void Only_as_many_versions_are_read_as_are_asked_for()
    {
        Write("""{"content":"1"}""" + "\n" + """{"content":"2"}""" + "\nnothing that can be read\n", isZipped: false);

        Assert.Equal(2, DocumentHistory.TryRead(_file, 2, out _)!.Versions.Count);
    }

    [Theory]
    [InlineData("", "has no lines")]
    [InlineData("content: 1\n", "line 1: it is no JSON")]
    [InlineData("{\"content\":\"1\"}\n\n", "line 2: it is no JSON")]
    [InlineData("{\"content\":\"1\"}\n{\"text\":\"2\"}\n", "line 2: there is no text named \"content\"")]
    [InlineData("{\"content\":2}\n", "line 1: there is no text named \"content\"")]
    [InlineData("[1]\n", "line 1: there is no text named \"content\"")]
    [InlineData("{\"content\":\"\\ud800\"}\n", "line 1: it is no JSON")]
    public void A_file_of_another_form_is_refused_with_the_line(string text, string said)
    {
        Write(text, isZipped: false);

        Assert.Null(DocumentHistory.TryRead(_file, 10, out string error));
        Assert.Contains(said, error, StringComparison.Ordinal);
        Assert.Contains(_file, error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_that_is_not_there_a_folder_and_broken_bytes_are_refused()
    {
        string[] names = [_file + ".not", Path.GetTempPath()];
        Assert.All(names, n => Assert.Contains("cannot be read", ErrorOf(n), StringComparison.Ordinal));

        File.WriteAllBytes(_file, [0x1F, 0x8B, 1, 2, 3]);
        Assert.Contains("cannot be read", ErrorOf(_file), StringComparison.Ordinal);

        File.WriteAllBytes(_file, [(byte)'{', 0xFF, 0xFE, (byte)'}']);
        Assert.Contains("cannot be read", ErrorOf(_file), StringComparison.Ordinal);
    }

    [Fact]
    public void A_value_is_a_version_only_byte_for_byte()
    {
        Write("""{"content":"one"}""" + "\n" + """{"content":"two"}""" + "\n", isZipped: false);
        DocumentHistory history = DocumentHistory.TryRead(_file, 10, out _)!;
        byte[] one = "one"u8.ToArray();

        Assert.True(history.IsVersion(0, one));
        Assert.True(history.IsVersion(0, one));
        Assert.False(history.IsVersion(1, one));
        Assert.True(history.IsVersion(0, "none"u8.ToArray().AsMemory(1)));
        Assert.False(history.IsVersion(0, "onE"u8.ToArray()));
        Assert.False(history.IsVersion(0, "one "u8.ToArray()));
    }

    public void Dispose() => File.Delete(_file);

    private static string ErrorOf(string file)
    {
        Assert.Null(DocumentHistory.TryRead(file, 10, out string error));
        return error;
    }

    private void Write(string text, bool isZipped)
    {
        using Stream file = File.Create(_file);
        using Stream stream = isZipped ? new GZipStream(file, CompressionLevel.Fastest) : file;
        stream.Write(Encoding.UTF8.GetBytes(text));
    }
}
