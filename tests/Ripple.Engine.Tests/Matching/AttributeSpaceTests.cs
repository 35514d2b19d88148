using Ripple.Engine.Matching;

namespace Ripple.Engine.Tests.Matching;

public sealed class AttributeSpaceTests
{
    private readonly AttributeSpace _space =
        new(Dimension.Real("speed", 0, 130, "km/h"), Dimension.Integer("lane", 0, 4), Dimension.Time("at", 1_000, 2_000));

    [Theory]
    [InlineData(double.NaN, "'speed' is NaN. Give a finite number within [0, 130) km/h.")]
    [InlineData(double.PositiveInfinity, "'speed' is Infinity. Give a finite number within [0, 130) km/h.")]
    [InlineData(double.NegativeInfinity, "'speed' is -Infinity. Give a finite number within [0, 130) km/h.")]
    [InlineData(130, "'speed' is 130, which is not within [0, 130) km/h. Give a value that is.")]
    [InlineData(-1e-300, "'speed' is -1E-300, which is not within [0, 130) km/h. Give a value that is.")]
    public void A_value_that_is_not_in_the_space_is_refused_by_its_name(double speed, string reason) =>
        Assert.Equal(reason, RefusePoint(Speed(speed), Lane(1), At(1_500)));

    [Fact]
    public void A_value_of_another_kind_is_refused_by_its_name() =>
        Assert.Equal(
            "'lane' is 1, of kind Real, and the dimension is of kind Integer. Give a value of that kind.",
            RefusePoint(Speed(1), new NamedValue("lane", AttributeValue.Real(1)), At(1_500)));

    [Fact]
    public void A_whole_number_outside_of_its_dimension_is_refused_by_its_name()
    {
        Assert.StartsWith("'lane' is 4, which is not within [0, 4).", RefusePoint(Speed(1), Lane(4), At(1_500)), StringComparison.Ordinal);
        Assert.StartsWith(
            "'at' is 999, which is not within [1000, 2000) ns since 1970.",
            RefusePoint(Speed(1), Lane(1), At(999)),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Values_that_are_missing_are_all_named() =>
        Assert.Equal("The event has no 'speed', 'at'. Give a value for every dimension.", RefusePoint(Lane(1)));

    [Fact]
    public void A_name_that_is_unknown_or_there_twice_is_refused()
    {
        Assert.Equal(
            "The event has 'sped', which is no dimension of the space. The dimensions are 'speed', 'lane', 'at'.",
            RefusePoint(new NamedValue("sped", AttributeValue.Real(1)), Lane(1), At(1_500)));
        Assert.Equal(
            "The event has 'lane' twice. Give each dimension once.", RefusePoint(Speed(1), Lane(1), At(1_500), Lane(1)));
        Assert.Equal(
            "The box has 'sped', which is no dimension of the space. The dimensions are 'speed', 'lane', 'at'.",
            RefuseBox(new NamedRange("sped", AttributeValue.Real(1), AttributeValue.Real(2))));
        Assert.Equal("The box has 'speed' twice. Give each dimension once.", RefuseBox(Speeds(1, 2), Speeds(3, 4)));
    }

    [Fact]
    public void A_refused_event_leaves_the_point_without_a_place()
    {
        var point = new Point(_space);
        Assert.True(_space.TrySetPoint([Speed(1), Lane(1), At(1_500)], point, out _));
        Assert.True(point.IsSet);

        Assert.False(_space.TrySetPoint([Speed(1), Lane(9), At(1_500)], point, out _));
        Assert.False(point.IsSet);
        Assert.Throws<ArgumentException>(() => new AttributeSpace(Dimension.Integer("a", 0, 1)).TrySetPoint([], point, out _));
    }

    [Theory]
    [InlineData(5, 5, "[5, 5), which is empty. Give an end above the beginning, or leave the range out for all of the dimension.")]
    [InlineData(6, 5, "[6, 5), which is empty. Give an end above the beginning, or leave the range out for all of the dimension.")]
    [InlineData(-1, 5, "[-1, 5), which is not within [0, 130) km/h. Give a range that is, or leave it out for all of the dimension.")]
    [InlineData(5, 131, "[5, 131), which is not within [0, 130) km/h. Give a range that is, or leave it out for all of the dimension.")]
    [InlineData(double.NaN, 5, "[NaN, 5). Give a finite number within [0, 130) km/h.")]
    [InlineData(5, double.PositiveInfinity, "[5, Infinity). Give a finite number within [0, 130) km/h.")]
    public void A_range_that_is_not_in_the_space_is_refused_by_its_name(double from, double to, string reason) =>
        Assert.Equal($"The range of 'speed' is {reason}", RefuseBox(Speeds(from, to)));

    [Fact]
    public void A_range_of_another_kind_is_refused_by_its_name() =>
        Assert.Equal(
            "The range of 'at' is [1000, 1500), of kind Integer, and the dimension is of kind Time. Give a value of that kind.",
            RefuseBox(new NamedRange("at", AttributeValue.Integer(1_000), AttributeValue.Integer(1_500))));

    [Fact]
    public void Dimensions_that_make_no_space_are_refused_by_their_name()
    {
        Assert.Equal("The space has 0 dimensions. Give it 1 to 16.", AttributeSpace.Check([]));
        Assert.Equal(
            "The space has 17 dimensions. Give it 1 to 16.",
            AttributeSpace.Check([.. Enumerable.Range(0, 17).Select(i => Dimension.Integer($"d{i}", 0, 1))]));
        Assert.Equal(
            "Dimension 'a' is there twice. Give each dimension a name of its own.",
            AttributeSpace.Check([Dimension.Integer("a", 0, 1), Dimension.Real("a", 0, 1)]));
        Assert.Equal("A dimension's name has 0 characters. Give it 1 to 100.", AttributeSpace.Check([Dimension.Integer("", 0, 1)]));
        Assert.Equal(
            "The range of dimension 'a' is [3, 3), which is empty. Give an end above the beginning.",
            AttributeSpace.Check([Dimension.Integer("a", 3, 3)]));
        Assert.Equal(
            "The range of dimension 'a' is [0, NaN) m. Give two finite numbers.",
            AttributeSpace.Check([Dimension.Real("a", 0, double.NaN, "m")]));
        Assert.StartsWith(
            "The range of dimension 'a' is [-1E+308, 1E+308), whose width is no usable number",
            AttributeSpace.Check([Dimension.Real("a", -1e308, 1e308)]),
            StringComparison.Ordinal);
        Assert.StartsWith(
            "The range of dimension 'a' is [0, 1E-310), whose width is no usable number",
            AttributeSpace.Check([Dimension.Real("a", 0, 1e-310)]),
            StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => new AttributeSpace());
    }

    private static NamedValue Speed(double value) => new("speed", AttributeValue.Real(value));

    private static NamedValue Lane(long value) => new("lane", AttributeValue.Integer(value));

    private static NamedValue At(long unixNs) => new("at", AttributeValue.Time(unixNs));

    private static NamedRange Speeds(double from, double to) => new("speed", AttributeValue.Real(from), AttributeValue.Real(to));

    private string RefusePoint(params NamedValue[] values)
    {
        Assert.False(_space.TrySetPoint(values, new Point(_space), out string reason));
        return reason;
    }

    private string RefuseBox(params NamedRange[] ranges)
    {
        Assert.False(_space.TryMakeBox(ranges, out Box? box, out string reason));
        Assert.Null(box);
        return reason;
    }
}
